import { expect, test } from 'vitest'
import { pagesById } from './pages-by-id.ts'

test.each([0, 1, 499, 500, 501, 1_250])('of %i rows each comes once, in order', async (count) => {
  const rows = Array.from({ length: count }, (_, index) => ({ id: String(index + 1).padStart(5, '0') }))
  const found: { id: string }[] = []
  const read = async (after: string, limit: number) => rows.filter(({ id }) => id > after).slice(0, limit)
  for await (const page of pagesById(read)) {
    expect(page.length).toBeGreaterThan(0)
    found.push(...page)
  }
  expect(found).toEqual(rows)
})
