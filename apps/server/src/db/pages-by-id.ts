/** Few enough to be read within a few ms: statements of requests wait on the same connections. */
const rowsPerPage = 500

/**
 * Rows in the order of their IDs, page by page, each by a statement of its own, so that work on a farm holds no connection for long.
 *
 * @param read at most `limit` rows whose IDs come after `after`, in order
 */
export async function* pagesById<Row extends { id: string }>(
  read: (after: string, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[], void> {
  let after = ''
  for (;;) {
    const page = await read(after, rowsPerPage)
    if (page.length > 0) yield page
    const last = page.at(-1)
    if (last === undefined || page.length < rowsPerPage) return
    after = last.id
  }
}
