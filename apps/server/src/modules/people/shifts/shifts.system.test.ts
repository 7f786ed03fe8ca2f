import { beforeEach, describe, expect, test } from 'vitest'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'
import { createTestPerson, type TestPerson } from '../../../test/farm/test-person.ts'

const hourMs = 3_600_000
// 20 November 2026 is a Friday.
let now = new Date('2026-11-20T21:30:00Z')
const { t, account } = accountForEachTest({ context: { clock: { now: () => now } } })

const night = { day: 5, from: '22:00', to: '06:00' }
const early = { day: 1, from: '06:00', to: '14:00' }

let owner: TestPerson
let worker: TestPerson
beforeEach(async () => {
  now = new Date('2026-11-20T21:30:00Z')
  await t.db.sql`update accounts set time_zone = 'Europe/Berlin' where id = ${account.id}`
  owner = await createTestPerson(t, account, 'owner')
  worker = await createTestPerson(t, account, 'operator')
})

const put = (by: TestPerson, of: TestPerson, shifts: unknown[], headers = {}) =>
  by.request('PUT', `/members/${of.memberId}/shifts`, { shifts }, headers)
const read = async () => (await worker.request('GET', '/shifts')).json().data
const inHours = (hours: number) => new Date(now.getTime() + hours * hourMs).toISOString()
const events = async (type: string) =>
  (await account.request('GET', `/events?type=${type}`)).json().data.map(({ data }: { data: object }) => data)

describe('the week of a member', () => {
  test('is set by themselves or by who runs the account, in the order of the week, and says who is on shift', async () => {
    const answer = await put(worker, worker, [night, early])
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toMatchObject({
      member_id: worker.memberId,
      user_id: worker.userId,
      shifts: [early, night],
      on_shift_until: '2026-11-21T05:00:00.000Z',
      switched_on: null,
    })
    expect(await read()).toMatchObject({
      time_zone: 'Europe/Berlin',
      told: 'on_shift',
      told_user_ids: [worker.userId],
      members: [{ user_id: owner.userId, shifts: [], on_shift_until: null }, { shifts: [early, night] }],
    })
    expect((await put(owner, worker, [early])).statusCode).toBe(200)
    expect(await read()).toMatchObject({ told: 'none_on_shift', told_user_ids: [owner.userId] })
    expect(await events('member.shifts_changed')).toMatchObject([
      { user_id: worker.userId, shifts: 2 },
      { user_id: worker.userId, shifts: 1 },
    ])
  })

  test('is not changed by a colleague, nor by who has seen another one, and the same again is no change', async () => {
    const colleague = await createTestPerson(t, account, 'operator')
    const refused = await put(colleague, worker, [early])
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'FORBIDDEN'])
    const { etag } = (await put(worker, worker, [early])).headers
    expect((await put(worker, worker, [early])).statusCode).toBe(200)
    expect(await events('member.shifts_changed')).toHaveLength(1)
    expect((await put(owner, worker, [night], { 'if-match': String(etag) })).statusCode).toBe(200)
    const late = await put(worker, worker, [], { 'if-match': String(etag) })
    expect([late.statusCode, late.json().error.code]).toEqual([412, 'PRECONDITION_FAILED'])
    expect((await read()).members[1].shifts).toEqual([night])
  })

  test.each([
    ['a day that there is not', [{ ...early, day: 8 }]],
    ['a time that there is not', [{ ...early, to: '24:00' }]],
    ['the same shift twice', [early, early]],
    [
      'more shifts than a week has room for',
      Array.from({ length: 22 }, (_, hour) => ({ ...early, from: `${String(hour).padStart(2, '0')}:01` })),
    ],
  ])('refuses %s', async (_name, shifts) => {
    const answer = await put(worker, worker, shifts)
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('of a member of another account is not found', async () => {
    const stranger = await createTestPerson(t, await t.account(), 'owner')
    const answer = await put(stranger, worker, [early])
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'NOT_FOUND'])
    expect((await stranger.request('GET', '/shifts')).json().data.members).toHaveLength(1)
  })

  test('goes with them when they leave', async () => {
    await put(worker, worker, [night])
    expect((await worker.request('DELETE', `/members/${worker.memberId}`)).statusCode).toBe(200)
    const rows = await t.db.sql`select id from shifts where account_id = ${account.id}`
    expect(rows).toHaveLength(0)
  })
})

describe('the switch', () => {
  test('counts at once, ends by itself, and can be taken back', async () => {
    const answer = await worker.request('POST', '/shifts/switch', { is_on: true, until: inHours(4) })
    expect(answer.statusCode).toBe(201)
    expect(answer.json().data).toMatchObject({
      switched_on: true,
      switched_until: inHours(4),
      on_shift_until: inHours(4),
    })
    expect(await read()).toMatchObject({ told: 'on_shift', told_user_ids: [worker.userId] })
    const later = now
    now = new Date(now.getTime() + 4 * hourMs)
    expect(await read()).toMatchObject({
      told: 'no_shifts',
      members: [{}, { switched_on: null, on_shift_until: null }],
    })
    now = later
    const back = await worker.request('DELETE', '/shifts/switch')
    expect(back.json().data).toMatchObject({ switched_on: null, on_shift_until: null })
    expect((await worker.request('DELETE', '/shifts/switch')).statusCode).toBe(200)
    expect(await events('member.on_shift_changed')).toMatchObject([
      { user_id: worker.userId, is_on: true, until: inHours(4) },
      { user_id: worker.userId, is_on: null, until: null },
    ])
  })

  test.each([
    ['the past', -1],
    ['more than a week', 24 * 7 + 1],
  ])('is not set until %s', async (_name, hours) => {
    const answer = await worker.request('POST', '/shifts/switch', { is_on: true, until: inHours(hours) })
    expect([answer.statusCode, answer.json().error.details]).toEqual([
      400,
      { until: ['must be within the next seven days'] },
    ])
  })

  test('is not for viewers, nor for keys', async () => {
    const viewer = await createTestPerson(t, account, 'viewer')
    const answer = await viewer.request('POST', '/shifts/switch', { is_on: true, until: inHours(1) })
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'FORBIDDEN'])
    expect((await viewer.request('GET', '/shifts')).statusCode).toBe(200)
    const byKey = await account.request('GET', '/shifts')
    expect(byKey.statusCode).toBe(404)
  })
})
