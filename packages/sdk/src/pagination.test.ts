import { expect, test } from 'vitest'
import { ok, startScriptedService } from '../test/scripted-service.ts'

const page = (ids: string[], next: string | null) =>
  ok(
    ids.map((id) => ({ id })),
    { meta: { next_cursor: next } },
  )

test('rows come over all pages, each page is asked for when it is needed', async () => {
  const { client, requests } = await startScriptedService([page(['a', 'b'], 'c1'), page(['c'], 'c2'), page([], null)])
  const list = client.jobs.list({ status: 'queued', offset: 0 })
  expect(requests).toHaveLength(0)
  const ids: string[] = []
  for await (const { id } of list) ids.push(id)
  expect(ids).toEqual(['a', 'b', 'c'])
  expect(requests.map(({ url }) => url)).toEqual([
    '/public/v1/jobs?status=queued&offset=0',
    '/public/v1/jobs?status=queued&cursor=c1',
    '/public/v1/jobs?status=queued&cursor=c2',
  ])
})

test('awaiting gives the first page alone, and a loop that is left asks for no more', async () => {
  const { client, requests } = await startScriptedService([page(['a', 'b'], 'c1'), page(['c'], null)])
  const list = client.jobs.list()
  const { data, meta } = await list
  expect(data.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(meta.next_cursor).toBe('c1')
  for await (const { id } of list) if (id === 'b') break
  expect(requests).toHaveLength(1)
  expect(await list.all(1)).toHaveLength(1)
  expect(requests).toHaveLength(1)
  expect(await list.all()).toHaveLength(3)
})

test('the feed is walked by the last ID until it ends', async () => {
  const feed = (ids: string[], last: string) =>
    ok(
      ids.map((id) => ({ id })),
      { meta: { last_id: last } },
    )
  const { client, requests } = await startScriptedService([feed(['e1', 'e2'], 'e2'), feed([], 'e9')])
  expect((await client.events.list({ type: 'job.*' }).all()).map(({ id }) => id)).toEqual(['e1', 'e2'])
  expect(requests.map(({ url }) => url)).toEqual([
    '/public/v1/events?type=job.*',
    '/public/v1/events?type=job.*&after=e2',
  ])
})

test('a list that is not there refuses when it is asked for', async () => {
  const { client } = await startScriptedService([(response) => response.writeHead(400).end('{}')])
  await expect(client.jobs.list().all()).rejects.toMatchObject({ status: 400 })
})
