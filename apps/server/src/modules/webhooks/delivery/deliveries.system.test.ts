import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { firstIdOf } from '../../../kernel/ids.ts'
import { Memory } from '../../../kernel/memory.ts'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'
import { systemWork } from '../../../test/app/system-work.ts'
import type { TestAccount } from '../../../test/app/test-app.ts'
import { createTestPerson } from '../../../test/farm/test-person.ts'
import { answering, isSignedBy, openTestReceiver, type TestReceiver } from '../../../test/services/test-receiver.ts'
import { findEndOfFeed } from '../../events/event-feed.queries.ts'
import { removeWhatIsOver } from '../../retention/retention.service.ts'
import { startDeliveries } from './follow-events.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

let lateMs = 0
const clock = { now: () => new Date(Date.now() + lateMs) }
const { t, account } = accountForEachTest({ config: { outboundNetworks: '127.0.0.1' }, context: { clock } })

let receiver: TestReceiver
beforeEach(async () => {
  lateMs = 0
  receiver = await openTestReceiver()
  return () => receiver.close()
})

/** Another process on the same database, until the test ends. */
function deliver() {
  const running = startDeliveries({ ...t.context, memory: new Memory() })
  onTestFinished(() => running.stop())
  return running
}

async function add(body: object = {}, owner: TestAccount = account) {
  const answer = await owner.request('POST', '/webhooks', { url: receiver.url, event_types: ['color.*'], ...body })
  return answer.json().data
}

/** Records events of subjects, one transaction each. */
async function happen(subjects: readonly string[], owner: TestAccount = account): Promise<void> {
  for (const subjectId of subjects) {
    await t.context.db.begin(async (sql) => {
      await systemWork(sql, owner.id).record({
        type: 'color.created',
        subjectId,
        data: { color_name: subjectId, filament_type: null },
      })
    })
  }
}

/** IDs of what happened to a subject, in the order of the feed. */
async function feedOf(subject: string, owner: TestAccount = account): Promise<string[]> {
  const answer = await owner.request('GET', `/events?limit=100&type=color.created&subject=${subject}`)
  return answer.json().data.map((event: { id: string }) => event.id)
}

async function logOf(webhook: { id: string }, query = '') {
  return (await account.request('GET', `/webhooks/${webhook.id}/deliveries?limit=100${query}`)).json().data
}

const read = async (webhook: { id: string }) => (await account.request('GET', `/webhooks/${webhook.id}`)).json().data

test('what happens is sent once, signed, and logged with answer and time', async () => {
  const webhook = await add()
  deliver()
  await happen(['col_1'])
  await t.settled(() => receiver.received.length > 0)
  const [message] = receiver.received
  const [eventId] = await feedOf('col_1')
  expect(message).toMatchObject({ id: eventId, type: 'color.created', subjectId: 'col_1' })
  expect(message && isSignedBy(message, webhook.secret)).toBe(true)
  const feed = (await account.request('GET', '/events?type=color.created')).json().data
  expect(JSON.parse(message?.body ?? '')).toEqual({
    type: 'color.created',
    timestamp: feed[0].created_at,
    data: feed[0],
  })
  await t.settled(async () => (await logOf(webhook))[0]?.status === 'delivered')
  expect(await logOf(webhook)).toMatchObject([
    {
      event_id: eventId,
      event_type: 'color.created',
      subject_id: 'col_1',
      status: 'delivered',
      attempts: 1,
      status_code: 200,
      answer: 'ok',
      failure: null,
      duration_ms: expect.any(Number),
      history: [],
    },
  ])
  await wait(700)
  expect(receiver.received).toHaveLength(1)
})

test('a webhook is sent what it asks for, from its making on, of its own account, and nothing of ways in', async () => {
  await happen(['col_before'])
  // Whatever runs beside it may hold the end of the feed back for a moment.
  await t.settled(async () => {
    const [before] = await feedOf('col_before')
    return before !== undefined && (await findEndOfFeed(t.db.sql, account.id)).id === before
  })
  const stranger = await t.account()
  await add({ event_types: [], subject_ids: [] })
  const narrow = await openTestReceiver()
  onTestFinished(() => narrow.close())
  await add({ url: narrow.url, event_types: ['color.*'], subject_ids: ['col_2'] })
  deliver()
  await happen(['col_1', 'col_2'])
  await happen(['col_1'], stranger)
  const person = await createTestPerson(t, account, 'owner')
  await person.request('POST', '/api-keys', { name: 'told to admins', scopes: ['read'] })
  await happen(['col_3'])
  await t.settled(() => receiver.received.some((each) => each.subjectId === 'col_3'))
  const told = receiver.received.map(({ type, subjectId }) => [type, subjectId])
  expect(told.filter(([type]) => type === 'color.created').toSorted()).toEqual([
    ['color.created', 'col_1'],
    ['color.created', 'col_2'],
    ['color.created', 'col_3'],
  ])
  expect(told.filter(([type]) => !type?.startsWith('color.') && !type?.startsWith('webhook.'))).toEqual([])
  expect(narrow.received.map((each) => each.subjectId)).toEqual(['col_2'])
})

test('a message that is refused is sent again with the same ID, and what comes after it of the same subject waits', async () => {
  const webhook = await add()
  deliver()
  let refusals = 2
  receiver.answer = (message, response) => {
    const isRefused = message.subjectId === 'col_bad' && refusals > 0
    if (isRefused) refusals -= 1
    response.writeHead(isRefused ? 500 : 200).end(isRefused ? 'broken' : 'ok')
  }
  await happen(['col_bad', 'col_good', 'col_bad', 'col_good'])
  await t.settled(() => receiver.idsOf('col_good').length === 2)
  await wait(100)
  expect(receiver.received.filter((each) => each.subjectId === 'col_bad')).toHaveLength(1)
  const pending = await logOf(webhook, '&status=pending')
  expect(pending.map((each: { attempts: number }) => each.attempts)).toEqual([0, 1])
  expect(pending[1]).toMatchObject({ failure: 'status', status_code: 500, answer: 'broken' })
  expect(Date.parse(pending[1].due_at) - Date.parse(pending[1].attempted_at)).toBeGreaterThan(4_000)
  lateMs += 10_000
  await t.settled(() => receiver.received.filter((each) => each.subjectId === 'col_bad').length === 2)
  await wait(100)
  lateMs += hourMs
  await t.settled(() => receiver.received.filter((each) => each.subjectId === 'col_bad').length === 4)
  const ids = receiver.received.filter((each) => each.subjectId === 'col_bad').map(({ id }) => id)
  const feed = await feedOf('col_bad')
  expect(ids).toEqual([feed[0], feed[0], feed[0], feed[1]])
  const times = receiver.received
    .filter((each) => each.id === ids[0])
    .map(({ headers }) => headers['webhook-timestamp'])
  expect(new Set(times).size).toBe(3)
  await t.settled(async () => (await logOf(webhook, '&status=delivered')).length === 4)
  const first = (await logOf(webhook)).at(-1)
  expect(first).toMatchObject({
    attempts: 3,
    status: 'delivered',
    failure: null,
    history: [{ status_code: 500 }, { status_code: 500 }],
  })
})

test('a receiver that was down for a day gets everything, each subject in order', async () => {
  const webhook = await add()
  await receiver.close()
  deliver()
  const subjects = Array.from({ length: 60 }, (_, n) => `col_${n % 7}`)
  await happen(subjects)
  await t.settled(async () => (await read(webhook)).status === 'failing')
  for (let n = 0; n < 4; n += 1) {
    lateMs += dayMs / 4
    await wait(700)
  }
  expect((await read(webhook)).failing_since).not.toBeNull()
  const port = Number(new URL(receiver.url).port)
  receiver = await openTestReceiver(port)
  lateMs += hourMs
  await t.settled(() => new Set(receiver.received.map(({ id }) => id)).size === 60)
  for (let n = 0; n < 7; n += 1) expect(receiver.idsOf(`col_${n}`)).toEqual(await feedOf(`col_${n}`))
  expect(await read(webhook)).toMatchObject({ status: 'active', failing_since: null, retry_at: null })
})

describe('a receiver that stays dead', () => {
  test('is paused after three days and its owners are told; when it is resumed nothing is lost', async () => {
    const owner = await createTestPerson(t, account, 'owner')
    const webhook = await add()
    deliver()
    receiver.answer = answering(500)
    await happen(Array.from({ length: 8 }, (_, n) => `col_${n}`))
    await t.settled(async () => (await read(webhook)).status === 'failing')
    lateMs += 2 * dayMs
    await wait(700)
    expect((await read(webhook)).status).toBe('failing')
    lateMs += 1.1 * dayMs
    await t.settled(async () => (await read(webhook)).status === 'paused')
    expect(await read(webhook)).toMatchObject({ pause_reason: 'failing', failing_since: expect.any(String) })
    const [told] = (await owner.request('GET', '/events?type=webhook.paused')).json().data
    expect(told).toMatchObject({ subject_id: webhook.id, actor: 'system', data: { reason: 'failing' } })

    await happen(['col_meanwhile'])
    await wait(700)
    const before = receiver.received.length
    receiver.answer = answering(200)
    await account.request('PATCH', `/webhooks/${webhook.id}`, { is_active: true })
    await t.settled(async () => (await logOf(webhook, '&status=pending')).length === 0)
    const resent = receiver.received.slice(before).map((each) => each.subjectId)
    expect(resent.toSorted()).toEqual(Array.from({ length: 8 }, (_, n) => `col_${n}`))
    const body = { from: new Date(Date.now() - hourMs).toISOString() }
    const again = await account.request('POST', `/webhooks/${webhook.id}/redeliver`, body)
    expect(again.json().data).toEqual({ deliveries: 1, continue_from: null })
    await t.settled(() => receiver.idsOf('col_meanwhile').length === 1)
  })

  test('that answers 410 is paused at once', async () => {
    const webhook = await add()
    deliver()
    receiver.answer = answering(410)
    await happen(['col_1'])
    await t.settled(async () => (await read(webhook)).status === 'paused')
    expect(await read(webhook)).toMatchObject({ pause_reason: 'gone' })
    expect(await logOf(webhook)).toMatchObject([{ status: 'pending', attempts: 1, status_code: 410 }])
    await happen(['col_1'])
    await wait(700)
    expect(receiver.received).toHaveLength(1)
  })
})

test('a message that is never taken is given up after ten attempts, and its subject goes on', async () => {
  const webhook = await add()
  deliver()
  receiver.answer = (message, response) =>
    response.writeHead(message.id === receiver.idsOf('col_bad')[0] ? 400 : 200).end()
  await happen(['col_bad', 'col_bad'])
  for (let n = 1; n <= 10; n += 1) {
    await t.settled(() => receiver.received.filter((each) => each.id === receiver.idsOf('col_bad')[0]).length === n)
    // Others are taken, so that the receiver is not dead.
    await happen(['col_good'])
    await t.settled(async () => (await logOf(webhook, '&status=delivered&subject=col_good')).length === n)
    if (n < 10) expect(receiver.idsOf('col_bad')).toHaveLength(1)
    lateMs += 27 * hourMs
  }
  await t.settled(() => receiver.idsOf('col_bad').length === 2)
  expect(await logOf(webhook, '&status=failed')).toMatchObject([{ attempts: 10, status_code: 400, due_at: null }])
  expect((await read(webhook)).status).toBe('active')
})

test('a receiver that asks for time is left alone for it', async () => {
  const webhook = await add()
  deliver()
  receiver.answer = answering(429, { 'retry-after': '3600' })
  await happen(['col_1'])
  await t.settled(async () => (await read(webhook)).retry_at !== null)
  await happen(['col_2'])
  lateMs += hourMs / 2
  await wait(700)
  expect(receiver.received).toHaveLength(1)
  receiver.answer = answering(200)
  lateMs += hourMs
  await t.settled(() => receiver.idsOf('col_2').length === 1 && receiver.received.length === 3)
})

test('a dead receiver and a slow one delay no other, and hold few messages at once', async () => {
  const slow = await openTestReceiver()
  const dead = await openTestReceiver()
  onTestFinished(() => Promise.all([slow.close(), dead.close()]).then(() => undefined))
  slow.answer = () => undefined
  dead.answer = (_message, response) => response.destroy()
  await add({ url: slow.url })
  await add({ url: dead.url })
  await add()
  deliver()
  const subjects = Array.from({ length: 200 }, (_, n) => `col_${n}`)
  const startedAt = performance.now()
  await happen(subjects)
  const recordedAt = performance.now()
  await t.settled(() => receiver.received.length >= 200)
  expect(receiver.received).toHaveLength(200)
  expect(performance.now() - recordedAt).toBeLessThan(2_000 + (recordedAt - startedAt))
  expect(slow.mostUnderWay).toBeLessThanOrEqual(10)
  expect(receiver.mostUnderWay).toBeLessThanOrEqual(10)
  expect(dead.received.length).toBeLessThan(25)
})

test('two processes on one database share the work: everything arrives once, each subject in order', async () => {
  const others = await Promise.all(Array.from({ length: 4 }, () => openTestReceiver()))
  onTestFinished(() => Promise.all(others.map((each) => each.close())).then(() => undefined))
  for (const each of [receiver, ...others]) {
    each.answer = (_message, response) => setTimeout(() => response.end(), 5)
    await add({ url: each.url })
  }
  deliver()
  deliver()
  const subjects = Array.from({ length: 100 }, (_, n) => `col_${n % 9}`)
  await Promise.all([happen(subjects), happen(subjects)])
  for (const each of [receiver, ...others]) {
    await t.settled(() => each.received.length >= 200)
    expect(each.received).toHaveLength(200)
    for (let n = 0; n < 9; n += 1) expect(each.idsOf(`col_${n}`)).toEqual(await feedOf(`col_${n}`))
  }
})

test('of two processes one has a clock that is ten minutes ahead: nothing is lost, and each subject stays in order', async () => {
  const webhook = await add()
  const ahead = { now: () => new Date(clock.now().getTime() + 600_000) }
  deliver()
  const hasty = startDeliveries({ ...t.context, clock: ahead, memory: new Memory() })
  onTestFinished(() => hasty.stop())
  const subjects = ['col_a', 'col_b', 'col_c']
  for (let n = 0; n < 10; n += 1) await happen(subjects)
  await t.settled(() => new Set(receiver.received.map(({ id }) => id)).size === 30)
  for (const subject of subjects) {
    // One that comes twice, because its lease seemed to be over, is no other one; its first coming counts for the order.
    expect([...new Set(receiver.idsOf(subject))]).toEqual(await feedOf(subject))
  }
  await t.settled(async () => (await logOf(webhook, '&status=pending')).length === 0)
})

test('a clock that is set back by hours, or by a year while nothing runs, lets nothing wait until that time comes again', async () => {
  const webhook = await add()
  lateMs = 5 * hourMs
  const first = deliver()
  receiver.answer = answering(500)
  await happen(['col_1', 'col_2'])
  await t.settled(
    async () => (await logOf(webhook)).filter((row: { attempts: number }) => row.attempts === 1).length === 2,
  )
  receiver.answer = answering(200)
  lateMs = 0
  await t.settled(async () => (await logOf(webhook, '&status=delivered')).length === 2)
  lateMs = 365 * dayMs
  receiver.answer = answering(503)
  await happen(['col_3'])
  await t.settled(async () => (await logOf(webhook))[0]?.attempts === 1)
  await first.stop()
  await t.db.sql`
    update webhooks set lease_id = 'whl_dead', leased_until = ${new Date(clock.now().getTime() + 30_000)}
    where account_id = ${account.id}`
  receiver.answer = answering(200)
  lateMs = 0
  deliver()
  await wait(1_500)
  lateMs = 32_000
  await t.settled(async () => (await logOf(webhook, '&status=delivered')).length === 3)
  for (const subject of ['col_1', 'col_2', 'col_3']) {
    expect([...new Set(receiver.idsOf(subject))]).toEqual(await feedOf(subject))
  }
  expect((await logOf(webhook)).map(({ attempts }: { attempts: number }) => attempts)).toEqual([2, 2, 2])
})

test('a process that stops in the middle leaves its webhooks at once, and one that dies when its lease ends', async () => {
  await add()
  const first = deliver()
  receiver.answer = () => undefined
  await happen(['col_1'])
  await t.settled(() => receiver.received.length === 1)
  receiver.answer = answering(200)
  await first.stop()
  deliver()
  await t.settled(() => receiver.received.length === 2)
  expect(receiver.idsOf('col_1')).toHaveLength(1)
  await t.settled(async () => {
    const [row] = await t.db
      .sql`select leased_until from webhooks where account_id = ${account.id} and lease_id is not null`
    return row === undefined
  })
  await t.db.sql`
    update webhooks set lease_id = 'whl_dead', leased_until = ${new Date(clock.now().getTime() + 30_000)}
    where account_id = ${account.id}`
  await happen(['col_2'])
  await wait(700)
  expect(receiver.idsOf('col_2')).toHaveLength(0)
  lateMs += 31_000
  await t.settled(() => receiver.idsOf('col_2').length === 1)
})

test('one or a stretch of time is sent again on request, with the same IDs', async () => {
  const webhook = await add()
  deliver()
  await happen(['col_1', 'col_2', 'col_3'])
  await t.settled(async () => (await logOf(webhook, '&status=delivered')).length === 3)
  const [newest] = await logOf(webhook)
  const one = await account.request('POST', `/webhooks/${webhook.id}/deliveries/${newest.id}/redeliver`)
  expect(one.json().data).toMatchObject({ id: newest.id, status: 'pending', attempts: 0 })
  await t.settled(() => receiver.received.length === 4)
  expect(receiver.received[3]?.id).toBe(newest.event_id)
  await t.settled(async () => (await logOf(webhook, '&status=delivered')).length === 3)
  const range = { from: new Date(Date.now() - hourMs).toISOString(), also_delivered: true }
  const all = await account.request('POST', `/webhooks/${webhook.id}/redeliver`, range)
  expect(all.json().data).toEqual({ deliveries: 3, continue_from: null })
  await t.settled(() => receiver.received.length === 7)
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(3)
  const backwards = { from: range.from, to: '2026-01-01T00:00:00Z' }
  expect((await account.request('POST', `/webhooks/${webhook.id}/redeliver`, backwards)).statusCode).toBe(400)
})

test('a long backlog is sent from a few rows in memory, in order', async () => {
  const webhook = await add()
  await t.context.db.begin(async (sql) => {
    const happenings = Array.from({ length: 1_000 }, (_, n) => ({
      type: 'color.created' as const,
      subjectId: `col_${n % 40}`,
      data: { color_name: 'x', filament_type: null },
    }))
    await systemWork(sql, account.id).recordAll(happenings)
  })
  const { engine } = deliver()
  let most = 0
  receiver.answer = (_message, response) => {
    most = Math.max(most, engine.underWay)
    response.end()
  }
  await t.settled(() => receiver.received.length >= 1_000)
  expect(receiver.received).toHaveLength(1_000)
  expect(most).toBeLessThanOrEqual(10)
  const events = await t.db.sql<{ id: string; subject_id: string }[]>`
    select id, subject_id from events where account_id = ${account.id} and type = 'color.created' order by txid, id`
  for (const subject of ['col_0', 'col_17', 'col_39']) {
    const inFeed = events.filter((event) => event.subject_id === subject).map(({ id }) => id)
    expect(receiver.idsOf(subject)).toEqual(inFeed)
  }
  await t.settled(async () => (await logOf(webhook, '&status=pending')).length === 0)
})

test('the log is removed after thirty days', async () => {
  const webhook = await add()
  deliver()
  await happen(['col_1'])
  await t.settled(async () => (await logOf(webhook, '&status=delivered')).length === 1)
  const makeOlder = (days: number) => t.db.sql`
    update webhook_deliveries set id = ${firstIdOf('webhookDelivery', Date.now() - days * dayMs)}
    where account_id = ${account.id}`
  await makeOlder(29)
  await removeWhatIsOver(t.context)
  expect(await logOf(webhook)).toHaveLength(1)
  await makeOlder(31)
  await removeWhatIsOver(t.context)
  expect(await logOf(webhook)).toHaveLength(0)
})
