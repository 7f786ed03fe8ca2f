import type { Sql } from '../../../db/database.ts'
import type { Fragment } from '../../../db/driver/statement.ts'
import type { SkuId } from '../../../kernel/ids.ts'

/** SKUs to load, or all of the account. */
export type SkuScope = readonly SkuId[] | 'all'

/** The part of a condition that keeps to a scope; `column` has the SKU. */
export const inScope = (sql: Sql, column: Fragment, scope: SkuScope) =>
  scope === 'all' ? sql`` : sql`and ${column} = any(${[...scope]})`
