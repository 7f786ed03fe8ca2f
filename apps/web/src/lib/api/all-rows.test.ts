import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { everyHubQuery } from '../../features/hubs/hubs.api.ts'
import { hubStatesQuery } from '../../features/overview/overview.api.ts'
import { api } from './api.ts'
import type { ListedHub } from './api-schema.generated.ts'

const problem = { problem: 'hub_storage_full', message: 'The hub cannot write to its disk.' }
const hubs = Array.from({ length: 150 }, (_, index) => ({ id: `hub_${index}`, health: index === 149 ? [problem] : [] }))

/** A service with 150 hubs; answers the addresses that were asked for. */
function stubService(isEndless = false): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (input: string) => {
    asked.push(String(input))
    const query = new URL(String(input), 'http://service').searchParams
    const from = Number(query.get('cursor') ?? 0)
    const to = from + Number(query.get('limit'))
    const next_cursor = isEndless || to < hubs.length ? String(to) : null
    return Response.json({ success: true, data: hubs.slice(from, to), meta: { next_cursor } })
  })
  return asked
}

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['the page of a hub', everyHubQuery],
  ['the overview', hubStatesQuery],
])('%s knows what is wrong with the last of 150 hubs', async (_name, query) => {
  const asked = stubService()
  const rows = await new QueryClient().fetchQuery<ListedHub[], Error, ListedHub[], string[]>(query())
  expect(rows).toHaveLength(150)
  expect(rows.find(({ id }) => id === 'hub_149')?.health).toEqual([problem])
  expect(asked).toHaveLength(2)
})

test('a list without end is read for twenty pages', async () => {
  const asked = stubService(true)
  await api.rows('GET /hubs', { query: { limit: 100 } })
  expect(asked).toHaveLength(20)
})
