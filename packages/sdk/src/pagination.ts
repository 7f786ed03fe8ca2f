/** One page of a list. */
export interface Page<Row, Meta> {
  data: Row[]
  meta: Meta
}

/**
 * A list that is read page by page. `for await` gives its rows over all pages; `await` gives the first page alone.
 *
 * Rows that are added or removed meanwhile neither repeat nor hide others: pages are walked by cursor.
 */
export class Paged<Row, Meta> implements PromiseLike<Page<Row, Meta>>, AsyncIterable<Row> {
  readonly #get: (after: string | undefined) => PromiseLike<Page<Row, Meta>>
  readonly #next: (page: Page<Row, Meta>) => string | undefined
  #first: Promise<Page<Row, Meta>> | undefined

  /**
   * @param get The page after a position; the first one without.
   * @param next The position after a page; undefined after the last.
   */
  constructor(
    get: (after: string | undefined) => PromiseLike<Page<Row, Meta>>,
    next: (page: Page<Row, Meta>) => string | undefined,
  ) {
    this.#get = get
    this.#next = next
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a list is asking for its first page
  then<A = Page<Row, Meta>, B = never>(
    done?: ((page: Page<Row, Meta>) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#firstPage().then(done, failed)
  }

  /** Page after page. */
  async *pages(): AsyncGenerator<Page<Row, Meta>, void, undefined> {
    let page: Page<Row, Meta> | undefined = await this.#firstPage()
    while (page !== undefined) {
      yield page
      const after = this.#next(page)
      page = after === undefined ? undefined : await this.#get(after)
    }
  }

  /** All rows in one array; with `limit`, no more pages than that many rows take. */
  async all(limit = Number.POSITIVE_INFINITY): Promise<Row[]> {
    const rows: Row[] = []
    for await (const page of this.pages()) {
      rows.push(...page.data)
      if (rows.length >= limit) break
    }
    return rows.slice(0, limit)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const page of this.pages()) yield* page.data
  }

  #firstPage(): Promise<Page<Row, Meta>> {
    this.#first ??= Promise.resolve(this.#get(undefined))
    return this.#first
  }
}
