import type { TestAccount } from './test-app.ts'

interface Page {
  data: unknown[]
  meta: { limit: number; offset: number; count: number; total?: number; next_cursor?: string | null }
}

/** A path with one more query. */
export const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`

export async function getPage(account: TestAccount, path: string, query: string): Promise<Page> {
  const answer = await account.request('GET', withQuery(path, query))
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json()
}

/** More pages than any test has: a walk that goes round and round ends here. */
const mostPages = 1_000

/** All pages of a list by cursor; `between` runs before each page but the first. */
export async function walkPages(
  account: TestAccount,
  path: string,
  limit: number,
  between?: () => Promise<void>,
): Promise<Page[]> {
  const pages: Page[] = []
  let query = `limit=${limit}`
  while (pages.length < mostPages) {
    const page = await getPage(account, path, query)
    pages.push(page)
    if (!page.meta.next_cursor) return pages
    await between?.()
    query = `limit=${limit}&cursor=${page.meta.next_cursor}`
  }
  throw new Error(`${path} has no end`)
}
