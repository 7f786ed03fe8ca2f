/** What has to be written so that what is stored becomes what is wanted. */
interface RowChanges<Row> {
  /** Stored, and wanted no more. */
  gone: Row[]
  /** Wanted, and not stored or stored otherwise. */
  written: Row[]
}

/** Comparison by which rows are told apart. Keys of several parts are compared part by part: joined to one text they take longer than all else. */
export interface RowKind<Row> {
  /** A part of the key that few rows share. */
  groupOf: (row: Row) => string
  /** True when the rest of the keys of two rows of one group is the same. */
  isSameKey: (a: Row, b: Row) => boolean
  /** True when of two rows of one key nothing has to be written. */
  isSame: (a: Row, b: Row) => boolean
}

export function changedRows<Row>(
  stored: readonly Row[],
  wanted: readonly Row[],
  { groupOf, isSameKey, isSame }: RowKind<Row>,
): RowChanges<Row> {
  const left = Map.groupBy(stored, groupOf)
  const written = wanted.filter((row) => {
    const group = left.get(groupOf(row))
    const index = group?.findIndex((each) => isSameKey(each, row)) ?? -1
    if (group === undefined || index < 0) return true
    const [known] = group.splice(index, 1)
    return known === undefined || !isSame(known, row)
  })
  return { gone: [...left.values()].flat(), written }
}
