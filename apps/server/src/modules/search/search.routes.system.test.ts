import { describe, expect, test } from 'vitest'
import type { AccountId } from '../../kernel/ids.ts'
import { farmForAllTests } from '../../test/app/app-hooks.ts'
import { filledId, fillLists } from '../../test/app/filled-lists.ts'
import { createTestPerson, type TestPerson } from '../../test/farm/test-person.ts'
import { explaining, readPlan } from '../../test/run/query-plan.ts'
import { findJobs, findOrders } from './search.queries.ts'

const { t, farm } = farmForAllTests()

interface Group {
  kind: string
  hits: { id: string; title: string; detail: string; status: string | null }[]
  has_more: boolean
}

async function search(person: TestPerson, q: string): Promise<Group[]> {
  const response = await person.request('GET', `/search?q=${encodeURIComponent(q)}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().data
}

const titlesOf = (groups: Group[]) =>
  Object.fromEntries(groups.map(({ kind, hits }) => [kind, hits.map(({ title }) => title)]))

test('things of every kind are found by words in any order and case, the closest name first, and by their ID', async () => {
  const { account } = farm
  const make = async (path: string, body: object) => (await account.request('POST', path, body)).json().data
  await account.request('PATCH', `/printers/${farm.printerId}`, { name: 'Bracket corner', location: 'Cellar' })
  const older = await make('/products', { name: 'Bracket' })
  await make('/products', { name: 'Left bracket 100%' })
  const sku = await make('/skus', { product_id: older.id, sku: 'BR-1', color: 'Black', filament_type: 'PLA' })
  const item = { product_sku_id: sku.id, quantity: 1, unit_price: 900 }
  const order = await make('/orders', { order_number: 'S-77', customer_name: 'Bracket Shop', items: [item] })
  await make('/wiki', { title: 'Gluing a bracket' })
  const jobId = await farm.queueJob({ product_id: older.id })
  const owner = await createTestPerson(t, account, 'owner')

  expect(titlesOf(await search(owner, 'BRACKET'))).toEqual({
    printer: ['Bracket corner'],
    job: ['Bracket'],
    order: ['S-77'],
    product: ['Bracket', 'Left bracket 100%'],
    sku: ['BR-1'],
    article: ['Gluing a bracket'],
  })
  expect(titlesOf(await search(owner, 'black brack'))).toEqual({ sku: ['BR-1'] })
  expect(titlesOf(await search(owner, 'cell'))).toEqual({ printer: ['Bracket corner'] })
  // Neither sign stands for anything else.
  expect(titlesOf(await search(owner, '0%'))).toEqual({ product: ['Left bracket 100%'] })
  expect(await search(owner, '_\\')).toEqual([])
  expect(await search(owner, '   ')).toEqual([])
  expect((await search(owner, 'clip')).map(({ kind }) => kind)).toEqual(['job', 'file'])
  expect(await search(owner, jobId)).toEqual([
    { kind: 'job', hits: [expect.objectContaining({ id: jobId, status: 'queued' })], has_more: false },
  ])
  expect(await search(owner, order.id)).toEqual([
    { kind: 'order', hits: [expect.objectContaining({ title: 'S-77', detail: 'Bracket Shop' })], has_more: false },
  ])

  await account.request('POST', `/jobs/${jobId}/cancel`)
  await t.settled(async () => (await search(owner, jobId))[0]?.hits[0]?.status === 'cancelled')

  const stranger = await createTestPerson(t, await t.account(), 'owner')
  expect(await search(stranger, 'bracket')).toEqual([])
  expect(await search(stranger, jobId)).toEqual([])
})

test.each([
  ['owner', true],
  ['admin', true],
  ['operator', false],
  ['viewer', false],
] as const)('people are found by their name and address by a person who is %s: %s', async (role, isFound) => {
  const account = await t.account()
  const person = await createTestPerson(t, account, role)
  const groups = await search(person, person.email)
  const hit = { id: person.memberId, title: expect.any(String), detail: person.email, status: role }
  expect(groups).toEqual(isFound ? [{ kind: 'person', hits: [hit], has_more: false }] : [])
})

test('a file that was deleted is found no more', async () => {
  const account = await t.account()
  const person = await createTestPerson(t, account, 'viewer')
  await fillLists(t.db.sql, account.id, 3)
  expect(titlesOf(await search(person, 'file 2'))).toEqual({ file: ['File 2'] })
  await account.request('DELETE', `/files/${filledId('fil', 2)}`)
  await t.db.sql`update print_files set deleted_at = now() where account_id = ${account.id} and name = 'File 2'`
  expect(await search(person, 'file 2')).toEqual([])
})

test.each([
  { q: '', status: 400 },
  { q: 'x'.repeat(121), status: 400 },
])('a text of no or too many characters is refused: $q', async ({ q, status }) => {
  const person = await createTestPerson(t, farm.account, 'viewer')
  expect((await person.request('GET', `/search?q=${q}`)).statusCode).toBe(status)
})

describe('in an account with many rows', () => {
  test('five of each kind are told and that there are more; jobs and orders are read by an index', async () => {
    const account = await t.account()
    const accountId: AccountId = account.id
    await fillLists(t.db.sql, accountId, 3)
    const more = t.db.sql`generate_series(4, 6000) n`
    await t.db.sql`
      insert into print_files (account_id, id, name) select ${accountId}, 'fil_' || n, 'File ' || n from ${more}`
    await t.db.sql`
      insert into orders (account_id, id, order_number, platform, order_date, items_total, search_words)
      select ${accountId}, 'ord_' || n, n::text, 'etsy', now(), 100, array_to_tsvector(array[n::text]) from ${more}`
    await t.db.sql`
      insert into jobs (account_id, id, status, print_file_id, file_version_id, file_name, number_of_units,
        quantity_per_print, plates_total, created_by)
      select ${accountId}, 'job_' || n, case when n % 20 = 0 then 'queued' else 'completed' end, ${filledId('fil', 1)},
             ${filledId('ver', 1)}, 'a.gcode', 1, 1, 1, 'system'
      from ${more}`
    await t.db.sql`analyze`
    const person = await createTestPerson(t, account, 'viewer')
    const files = (await search(person, 'file 12')).find(({ kind }) => kind === 'file')
    expect(files?.hits.map(({ title }) => title)).toEqual([
      'File 12',
      ...Array(4).fill(expect.stringMatching(/^File 12\d+$/)),
    ])
    expect(files?.has_more).toBe(true)

    const sql = explaining(t.db.sql)
    const plan = await findJobs(sql, accountId, { text: 'none like it', limit: 6 })
    const jobs = readPlan(plan)
    expect(jobs.indexes).toEqual(expect.arrayContaining(['jobs_unfinished', 'jobs_by_age', 'jobs_pkey']))
    expect(JSON.stringify(plan)).not.toMatch(/"Seq Scan"[^{}]*"Relation Name":"jobs"/)
    const orders = readPlan(await findOrders(sql, accountId, { text: '599', limit: 6 }))
    expect(orders.indexes).toContain('orders_by_word')
    expect(orders.nodes).not.toContain('Seq Scan')
  })
})
