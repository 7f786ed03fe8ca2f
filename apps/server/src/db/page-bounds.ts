/** The last row of the page before: what it is sorted by, as exact text (microseconds of a time included), and its ID. */
export interface PagePosition {
  key: string | null
  /** Decides among rows of one key; empty where no two rows have the same key. */
  id: string
}

/** Which rows of a list to read: those after a position, or else those after as many rows as `offset` says. */
export interface PageBounds {
  limit: number
  offset: number
  after?: PagePosition | undefined
}

/** The query of a list with the bounds of a page in place of what the client sent for them. */
export type PageFilter<Query> = Omit<Query, 'limit' | 'offset' | 'cursor'> & PageBounds

/** A row of a list, with the text of what the list is sorted by. */
export type PageRow<Row> = Row & { page_key: string | null }
