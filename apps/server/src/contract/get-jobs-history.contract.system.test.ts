import { beforeAll, describe, expect, test } from 'vitest'
import { accountForAllTests } from '../test/app/app-hooks.ts'
import { addTestFile, readSlicedFile } from '../test/farm/sliced-file.ts'
import { errorOf, expectForm, expectRefused, jobForm, keepsCommonPromises } from './expectations.ts'

let fileId: string
const { t, account } = accountForAllTests()
beforeAll(async () => {
  fileId = (await addTestFile(t, account, await readSlicedFile())).id
  for (const [id, status, endedAt] of [
    ['job_a', 'completed', '2026-11-18T10:00:00.000Z'],
    ['job_b', 'failed', '2026-11-19T10:00:00.000Z'],
    ['job_c', 'cancelled', '2026-11-20T00:00:00.000Z'],
    ['job_d', 'completed', '2026-11-20T10:00:00.000Z'],
    ['job_e', 'completed', '2026-11-20T10:00:00.000Z'],
    ['job_q', 'queued', null],
    ['job_r', 'processing', null],
    ['job_s', 'printing', null],
    ['job_t', 'paused', null],
  ] as const) {
    await addJob(id, status, endedAt)
  }
})

async function addJob(
  id: string,
  status: string,
  endedAt: string | null,
  owner = account,
  file = fileId,
): Promise<void> {
  await t.db.sql`
    insert into jobs (account_id, id, status, print_file_id, file_version_id, file_name, number_of_units,
      quantity_per_print, plates_total, created_by, time_completed)
    select account_id, ${id}, ${status}, print_file_id, id, 'clip', 1, 1, 1, 'system', ${endedAt}::timestamptz
    from print_file_versions where account_id = ${owner.id} and print_file_id = ${file}`
}

async function history(query = '') {
  const answer = await account.request('GET', `/jobs/history${query}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

const idsOf = async (query: string) =>
  (await history(query)).data.map((job: { id: string }) => job.id.slice(-1)).join('')

keepsCommonPromises({ method: 'GET', path: '/jobs/history', scope: 'read' }, () => ({ t, account }))

test('200: what ended as completed, failed or cancelled, the last ended first, then by ID from the highest', async () => {
  const { success, data, meta, ...others } = await history()
  expect([success, others]).toEqual([true, {}])
  expect(data.map((job: { id: string }) => job.id)).toEqual(['job_e', 'job_d', 'job_c', 'job_b', 'job_a'])
  expect(new Set(data.map((job: { status: string }) => job.status))).toEqual(
    new Set(['completed', 'failed', 'cancelled']),
  )
  for (const job of data) expectForm(job, jobForm)
  expect(meta).toMatchObject({ limit: 50, offset: 0, count: 5 })
  expect(Object.keys(meta).filter((name) => !['limit', 'offset', 'count', 'next_cursor'].includes(name))).toEqual([])
})

test.each([
  ['?from=2026-11-20T10:00:00Z', 'ed'],
  ['?from=2026-11-20T10:00:00.001Z', ''],
  ['?to=2026-11-18T10:00:00.000Z', 'a'],
  ['?to=2026-11-18T09:59:59.999Z', ''],
  ['?from=2026-11-19T10:00:00Z&to=2026-11-20T00:00:00Z', 'cb'],
  ['?from=2026-11-20', 'edc'],
  ['?to=2026-11-20', 'cba'],
  ['?from=2026-11-20T12:00:00%2B02:00', 'ed'],
  ['?to=2026-11-19T05:00:00-05:00', 'ba'],
  ['?from=2026-11-21&to=2026-11-18', ''],
])('both bounds are inclusive, in any offset, and a date alone is its first moment: %s', async (query, expected) => {
  expect(await idsOf(query)).toBe(expected)
})

test.each([
  ['?limit=1', 'e', { limit: 1, offset: 0, count: 1 }],
  ['?limit=2&offset=1', 'dc', { limit: 2, offset: 1, count: 2 }],
  ['?limit=100&offset=0', 'edcba', { limit: 100, offset: 0, count: 5 }],
  ['?offset=4', 'a', { limit: 50, offset: 4, count: 1 }],
  ['?offset=5', '', { limit: 50, offset: 5, count: 0 }],
  ['?limit=1&from=2026-11-19&to=2026-11-20', 'c', { limit: 1, offset: 0, count: 1 }],
  ['?sort=id&x', 'edcba', { limit: 50, offset: 0, count: 5 }],
])('meta tells the limit and offset applied and the rows of this page: %s', async (query, expected, meta) => {
  expect(await idsOf(query)).toBe(expected)
  expect((await history(query)).meta).toMatchObject(meta)
})

test('50 rows without a limit, 100 with the highest', async () => {
  const busy = await t.account()
  const { id } = await addTestFile(t, busy, await readSlicedFile())
  for (let n = 0; n < 101; n += 1) await addJob(`job_${n}`, 'completed', '2026-11-20T10:00:00Z', busy, id)
  const count = async (query: string) => (await busy.request('GET', `/jobs/history${query}`)).json().data.length
  expect([await count(''), await count('?limit=100'), await count('?limit=100&offset=100')]).toEqual([50, 100, 1])
})

describe('400 VALIDATION_ERROR, never clamped', () => {
  const wrongNumbers = ['', '-1', '1.5', '1e1', 'abc', '0x5', '05', '%2B5', '%205', 'NULL', '99999999999999999999']
  test.each([...wrongNumbers, 'null', '0', '101', '-0'])('limit=%s', async (value) => {
    expectRefused(await account.request('GET', `/jobs/history?limit=${value}`), 'limit')
  })
  test.each([...wrongNumbers, '-0'])('offset=%s', async (value) => {
    expectRefused(await account.request('GET', `/jobs/history?offset=${value}`), 'offset')
  })
  test('an offset of null is none, as integrations send it', async () => {
    const [left, none] = [
      await account.request('GET', '/jobs/history'),
      await account.request('GET', '/jobs/history?offset=null'),
    ]
    expect([none.statusCode, none.json()]).toEqual([200, left.json()])
  })
  test.each([
    '',
    'yesterday',
    '20261120',
    '2026-02-30',
    '2026-13-01',
    '2026-11-20T25:00:00Z',
    '1763632800',
    '0000-01-01',
  ])('from and to=%s', async (value) => {
    expectRefused(await account.request('GET', `/jobs/history?from=${value}&to=${value}`), 'from', 'to')
  })
  test('a parameter given twice, and all wrong ones at once', async () => {
    expectRefused(await account.request('GET', '/jobs/history?limit=1&limit=2'), 'limit')
    expectRefused(
      await account.request('GET', '/jobs/history?limit=x&offset=x&from=x&to=x'),
      'limit',
      'offset',
      'from',
      'to',
    )
  })
})

test('nothing of another account is shown', async () => {
  const stranger = await t.account()
  expect((await stranger.request('GET', '/jobs/history')).json().data).toEqual([])
})

test('405 for what would change it', async () => {
  errorOf(await account.request('PUT', '/jobs/history', {}), 405, 'METHOD_NOT_ALLOWED')
})
