import { exportedTables } from './exported-tables.ts'
import { composedKinds } from './other-tables.ts'

/** All kinds of rows in an export, in the order in which they can be loaded. */
export const kinds = [...composedKinds, ...exportedTables].map(({ name, about, columns }) => ({
  name,
  about,
  columns: columns as readonly string[],
}))
