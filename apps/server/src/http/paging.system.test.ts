import { beforeAll, describe, expect, test } from 'vitest'
import type { AccountId } from '../kernel/ids.ts'
import type { HubConnection } from '../live/hubs.ts'
import { printOpenApiDocument } from '../openapi-document.ts'
import { accountForAllTests } from '../test/app/app-hooks.ts'
import { filledId, fillLists } from '../test/app/filled-lists.ts'
import type { TestAccount } from '../test/app/test-app.ts'
import { getPage, walkPages, withQuery } from '../test/app/walk-pages.ts'
import { hubConnection } from '../test/farm/hub-connection.ts'

const materialLists = Object.fromEntries(
  ['filament', 'components', 'packaging', 'parts'].flatMap((kind) => [
    [`/materials/${kind}`, [`/materials/${kind}`]],
    [`/materials/${kind}/{id}/movements`, [`/materials/${kind}/${kind}_${filledId('mat', 1)}/movements`]],
  ]),
)

/** Every paged list, under the path of the API description, with what asks for it in an account of `fillLists`. */
const lists = {
  '/jobs': ['/jobs', '/jobs?status=completed', '/jobs?is_late=false'],
  '/jobs/history': [
    '/jobs/history',
    '/jobs/history?from=2026-03-01T00:00:00.000002Z&to=2026-03-01T00:00:00.000009Z',
    '/jobs/history?ended_as=failed',
    `/jobs/history?of_printer_id=${filledId('prt', 1)}&of_file_id=${filledId('fil', 1)}`,
  ],
  '/jobs/queue': ['/jobs/queue', '/jobs/queue?search=a'],
  '/printers': ['/printers', '/printers?status=offline', '/printers?search=a'],
  '/printers/live': ['/printers/live'],
  '/printer-models': ['/printer-models', '/printer-models?search=prusa'],
  '/files': ['/files'],
  '/hubs': ['/hubs'],
  '/hubs/{id}/discovered': [`/hubs/${filledId('hub', 1)}/discovered`],
  '/products': ['/products'],
  '/skus': ['/skus', `/skus?product_id=${filledId('prd', 1)}`],
  '/recipes': ['/recipes', `/recipes?product_id=${filledId('prd', 1)}`],
  '/colors': ['/colors'],
  '/inventory': ['/inventory', '/inventory?low_stock=true'],
  '/inventory/{id}/movements': [`/inventory/${filledId('inv', 1)}/movements`],
  ...materialLists,
  '/printers/{id}/queue': [`/printers/${filledId('prt', 1)}/queue`],
  '/members': ['/members'],
  '/assembly': ['/assembly', '/assembly?status=pending'],
  '/worklist': ['/worklist', '/worklist?status=pending'],
  '/orders': ['/orders', '/orders?status=fulfilled'],
  '/production/needs': ['/production/needs', '/production/needs?for=shelf'],
  '/production/shelf': ['/production/shelf', '/production/shelf?search=s-'],
  '/listing-maps': ['/listing-maps', `/listing-maps?product_sku_id=${filledId('sku', 1)}`],
  '/webhooks': ['/webhooks'],
  '/webhooks/{id}/deliveries': [
    `/webhooks/${filledId('whk', 1)}/deliveries`,
    `/webhooks/${filledId('whk', 1)}/deliveries?status=pending`,
  ],
  '/wiki': ['/wiki', '/wiki?search=article'],
  '/wiki/categories': ['/wiki/categories'],
  '/wiki/{id}/revisions': [`/wiki/${filledId('wik', 1)}/revisions`, '/wiki/article-1/revisions'],
} as const

const paths = Object.values(lists).flat()
const rowsPerList = 40

let neighbour: TestAccount
const { t, account: farm } = accountForAllTests()
beforeAll(async () => {
  neighbour = await t.account()
  for (const { id } of [farm, neighbour]) await fillLists(t.db.sql, id, rowsPerList)
  t.context.hubs.attach(connectionWithCandidates(farm.id))
})

/** A hub that has found printers of which some differ in nothing but their address. */
function connectionWithCandidates(accountId: AccountId): HubConnection {
  const candidates = Array.from({ length: rowsPerList }, (_, n) => ({
    connection_type: 'bambu' as const,
    name: `Found ${(n * 7) % 10}`,
    model: null,
    address: `192.0.2.${n}`,
    serial: null,
    evidence: 'announcement',
  }))
  return hubConnection({ accountId, hubId: filledId('hub', 1), candidates }, new Date())
}

async function refusalOf(path: string, account = farm): Promise<unknown> {
  const answer = await account.request('GET', path)
  expect(answer.statusCode, `${path} ${answer.body}`).toBe(400)
  expect(answer.json().error.code).toBe('VALIDATION_ERROR')
  return answer.json().error.details
}

const notOurs = { cursor: ['is not a next_cursor of this list with these filters'] }

async function firstCursor(path: string): Promise<string> {
  const { meta } = await getPage(farm, path, 'limit=3')
  expect(meta.next_cursor).toEqual(expect.any(String))
  return String(meta.next_cursor)
}

test('every list of the API description that takes an offset takes a cursor, and is looked at here', async () => {
  interface Operation {
    parameters?: { name: string; in: string }[]
  }
  const { paths: described } = JSON.parse(await printOpenApiDocument()) as {
    paths: Record<string, { get?: Operation }>
  }
  const taking = (name: string) =>
    Object.entries(described)
      .filter(([, { get }]) =>
        get?.parameters?.some((parameter) => parameter.in === 'query' && parameter.name === name),
      )
      .map(([path]) => path.replace('/public/v1', ''))
      .sort()
  expect(taking('cursor')).toEqual(Object.keys(lists).sort())
  expect(taking('offset')).toEqual(taking('cursor'))
})

describe.each(paths)('GET %s', (path) => {
  test('takes an offset of null as none', async () => {
    expect(await getPage(farm, path, 'limit=3&offset=null')).toEqual(await getPage(farm, path, 'limit=3'))
  })

  test('walked by cursor gives exactly what it gives by offset', async () => {
    const whole = await getPage(farm, path, 'limit=100&offset=0')
    expect(whole.data.length).toBeGreaterThan(7)
    for (const limit of [1, 7, whole.data.length - 1, whole.data.length, 100]) {
      const pages = await walkPages(farm, path, limit)
      expect(pages.flatMap(({ data }) => data)).toEqual(whole.data)
      expect(pages).toHaveLength(Math.ceil(whole.data.length / limit))
      for (const { data, meta } of pages) expect(meta).toMatchObject({ limit, offset: 0, count: data.length })
      expect(pages.map(({ meta }) => meta.total)).toEqual(pages.map(() => whole.meta.total))
    }
    const byOffset: unknown[] = []
    for (let offset = 0; offset < whole.data.length; offset += 7) {
      const { data, meta } = await getPage(farm, path, `limit=7&offset=${offset}`)
      expect(meta).not.toHaveProperty('next_cursor')
      byOffset.push(...data)
    }
    expect(byOffset).toEqual(whole.data)
  })

  test('takes a cursor of no one else, nowhere else, and unchanged', async () => {
    const cursor = await firstCursor(path)
    expect(await refusalOf(withQuery(path, `cursor=${cursor}`), neighbour)).toEqual(notOurs)
    const other = path.startsWith('/colors') ? '/products' : '/colors'
    expect(await refusalOf(withQuery(other, `cursor=${cursor}`))).toEqual(notOurs)
    for (const wrong of ['x', '%00', 'null', `${cursor}A`, cursor.slice(0, -1), cursor.toLowerCase(), `${cursor}%3D`]) {
      expect(await refusalOf(withQuery(path, `cursor=${wrong}`))).toHaveProperty('cursor')
    }
    expect(await refusalOf(withQuery(path, `cursor=${cursor}&offset=0`))).toEqual({
      cursor: ['excludes offset'],
      offset: ['excludes cursor'],
    })
  })
})

test('a cursor is for the filters with which it was made, however they are written down', async () => {
  const cursor = await firstCursor('/jobs?status=completed&from=2026-01-01')
  expect(
    (await getPage(farm, '/jobs?from=2026-01-01&unknown=1&status=completed', `cursor=${cursor}`)).data,
  ).not.toEqual([])
  for (const query of [
    '',
    '?status=failed&from=2026-01-01',
    '?status=completed',
    '?status=completed&from=2026-01-02',
  ]) {
    expect(await refusalOf(withQuery(`/jobs${query}`, `cursor=${cursor}`)), query).toEqual(notOurs)
  }
  const ofOne = await firstCursor(`/inventory/${filledId('inv', 1)}/movements`)
  expect(await refusalOf(`/inventory/${filledId('inv', 2)}/movements?cursor=${ofOne}`)).toEqual(notOurs)
})

test('a name of the longest kind fits into a cursor', async () => {
  const account = await t.account()
  const longest = (character: string) => character.repeat(119)
  for (const name of [`${longest('\u0001')}1`, `${longest('\u0001')}2`, `${longest('😀')}1`, `${longest('😀')}2`]) {
    await t.db.sql`insert into hubs (account_id, id, name) values (${account.id}, ${`hub_${name.slice(-9)}`}, ${name})`
  }
  const names: string[] = []
  let query = 'limit=1'
  while (query !== '' && names.length < 5) {
    const answer = (await account.request('GET', `/hubs?${query}`)).json()
    names.push(answer.data[0].name)
    query = answer.meta.next_cursor === null ? '' : `limit=1&cursor=${answer.meta.next_cursor}`
  }
  expect(names.map((name) => [...name].at(-1))).toEqual(['1', '2', '1', '2'])
})
