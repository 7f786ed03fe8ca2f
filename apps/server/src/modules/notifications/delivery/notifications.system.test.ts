import { createECDH, randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { Memory } from '../../../kernel/memory.ts'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'
import { systemWork } from '../../../test/app/system-work.ts'
import { createTestPerson, pageRequest, type TestPerson } from '../../../test/farm/test-person.ts'
import { openTestNtfy } from '../../../test/services/test-ntfy.ts'
import { closeFarmTask, openFarmTask } from '../../worklist/farm-tasks.ts'
import { mostDevices } from '../push/push-devices.service.ts'
import { mostOfAccount } from './due.queries.ts'
import { startNotifications } from './follow-events.ts'

const hourMs = 3_600_000
let lateMs = 0
const clock = { now: () => new Date(Date.now() + lateMs) }
const publicUrl = 'http://farm.example.com'
const { t, account } = accountForEachTest({
  config: { outboundNetworks: '127.0.0.1', pushNetworks: '127.0.0.1', publicUrl },
  context: { clock },
})

let owner: TestPerson
let service: Awaited<ReturnType<typeof openTestNtfy>>
beforeEach(async () => {
  lateMs = 0
  owner = await createTestPerson(t, account, 'owner')
  service = await openTestNtfy()
})

/** Another process on the same database, until the test ends. */
function start() {
  const running = startNotifications({ ...t.context, memory: new Memory() })
  onTestFinished(() => running.stop())
  return running
}

async function addChannel(body: object = {}): Promise<{ id: string }> {
  const answer = await owner.request('POST', '/notification-channels', {
    kind: 'ntfy',
    name: 'Workshop',
    server: service.url,
    topic: 'farm-topic',
    token: 'tk_very_secret',
    ...body,
  })
  expect(answer.statusCode).toBe(201)
  return answer.json().data
}

async function addRule(body: object): Promise<{ id: string }> {
  const answer = await owner.request('POST', '/notification-rules', { name: 'Rule', kinds: ['needs_person'], ...body })
  expect(answer.statusCode).toBe(201)
  return answer.json().data
}

const about = (subjectId: string, priority: 'low' | 'medium' | 'high' = 'medium') => ({
  source: 'health' as const,
  subjectId,
  printerId: null,
  task_type: 'maintenance' as const,
  priority,
  title: `Look at ${subjectId}`,
  subtitle: '',
  description: 'A private note',
})
const ask = (subjectId: string, priority?: 'low' | 'medium' | 'high') =>
  t.context.db.begin((sql) => openFarmTask(systemWork(sql, account.id), about(subjectId, priority)))
const close = (subjectId: string) =>
  t.context.db.begin((sql) => closeFarmTask(systemWork(sql, account.id), { source: 'health', subjectId }))

const log = async (query = '') => (await owner.request('GET', `/notifications?limit=100${query}`)).json().data
const channelOf = async (id: string) => (await owner.request('GET', `/notification-channels/${id}`)).json().data
const titles = () => service.came.map((each) => each.json().title)

async function settledLog(count: number) {
  // In this order: one that is written in between is pending, and is waited for.
  await t.settled(async () => (await log()).length >= count && (await log('&status=pending')).length === 0)
  return log()
}

test('what needs a person is told once, again when it matters more, and again when it came back', async () => {
  const channel = await addChannel()
  await addRule({ channel_ids: [channel.id] })
  start()
  await ask('p1')
  await t.settled(() => service.came.length === 1)
  await ask('p1')
  await ask('p1', 'high')
  await t.settled(() => service.came.length === 2)
  await ask('p1', 'low')
  await close('p1')
  await ask('p1')
  await t.settled(() => service.came.length === 3)
  await wait(600)
  expect(titles()).toEqual(['Look at p1', 'Look at p1', 'Look at p1'])
  expect(service.came.map((each) => each.json().priority)).toEqual([3, 5, 3])
  expect(await settledLog(3)).toMatchObject([
    { status: 'sent', severity: 'medium', status_code: 200, kind: 'needs_person', channel_name: 'Workshop' },
    { severity: 'high' },
    { severity: 'medium' },
  ])
})

test('what is over before it is sent is not sent', async () => {
  const channel = await addChannel()
  await addRule({ channel_ids: [channel.id], digest_minutes: 30 })
  start()
  await ask('p1')
  await ask('p2')
  await ask('p3')
  await t.settled(async () => (await log()).length === 3)
  await close('p2')
  await t.settled(async () => (await log('&status=dropped')).length === 1)
  lateMs += 31 * 60_000
  await t.settled(() => service.came.length === 1)
  expect(service.came[0]?.json()).toMatchObject({ title: '2 notifications' })
  expect(service.came[0]?.json().message).toBe('• Look at p1\n• Look at p3')
})

test('a late order is told once, and again when it was over and came back', async () => {
  const channel = await addChannel()
  await addRule({ channel_ids: [channel.id], kinds: ['order_late'] })
  const id = newId('order')
  await t.db.sql`
    insert into orders (account_id, id, order_number, platform, status, order_date, items_total)
    values (${account.id}, ${id}, 'A-17', 'manual', 'pending', now(), 100)`
  const happens = (type: 'order.late' | 'order.late_ended') =>
    t.context.db.begin((sql) =>
      systemWork(sql, account.id).record(
        type === 'order.late'
          ? { type, subjectId: id, data: { ship_by: new Date().toISOString() } }
          : { type, subjectId: id, data: {} },
      ),
    )
  start()
  await happens('order.late')
  await happens('order.late')
  await t.settled(() => service.came.length === 1)
  expect(service.came[0]?.json()).toMatchObject({ title: 'Order A-17 is late' })
  await happens('order.late_ended')
  await happens('order.late')
  await t.settled(() => service.came.length === 2)
  expect(await log()).toHaveLength(2)
})

test('no message carries a secret, an address or what a person wrote', async () => {
  const channel = await addChannel()
  await addRule({ channel_ids: [channel.id], kinds: ['needs_person', 'order_at_risk', 'receiver_paused'] })
  start()
  await owner.request('POST', '/worklist', { title: 'Call Ms Doe, 1 Elm Street', task_type: 'maintenance' })
  await ask('p1')
  await t.settled(() => service.came.length === 1)
  await wait(600)
  const text = service.came.map(({ body }) => body.toString('utf8')).join()
  for (const word of ['tk_very_secret', 'Elm Street', 'private note', owner.email]) expect(text).not.toContain(word)
  const shown = JSON.stringify([await channelOf(channel.id), await log()])
  for (const word of ['tk_very_secret', 'farm-topic']) expect(shown).not.toContain(word)
  const [row] = await t.db.sql<{ settings_sealed: Buffer }[]>`
    select settings_sealed from notification_channels where account_id = ${account.id}`
  expect(row?.settings_sealed.toString('latin1')).not.toContain('tk_very_secret')
})

test('a test shows what the other side answered, without what was entered', async () => {
  const channel = await addChannel()
  service.answer = (_came, response) => response.writeHead(401).end('no such token tk_very_secret')
  const answer = await owner.request('POST', `/notification-channels/${channel.id}/test`)
  expect(answer.statusCode).toBe(201)
  expect(answer.json().data).toMatchObject({
    is_test: true,
    status: 'failed',
    failure: 'refused',
    status_code: 401,
    answer: 'no such token [redacted]',
  })
})

test('addresses that are not allowed are refused when they are entered', async () => {
  for (const url of ['http://127.0.0.2/x', 'http://169.254.169.254/latest', 'https://10.0.0.1/x']) {
    const answer = await owner.request('POST', '/notification-channels', { kind: 'webhook', name: 'x', url })
    expect(answer.json().error).toMatchObject({ code: 'VALIDATION_ERROR', details: { url: [expect.any(String)] } })
  }
  const none = await owner.request('POST', '/notification-channels', { kind: 'matrix', name: 'x', server: service.url })
  expect(none.json().error.details).toMatchObject({ token: [expect.any(String)], room_id: [expect.any(String)] })
})

describe('a channel that takes nothing', () => {
  test('for now is tried again, and is left alone for as long as it asks', async () => {
    const channel = await addChannel()
    await addRule({ channel_ids: [channel.id] })
    start()
    service.answer = (_came, response) => response.writeHead(429, { 'retry-after': '3600' }).end()
    await ask('p1')
    await t.settled(async () => (await log())[0]?.attempts === 1)
    lateMs += hourMs / 2
    await wait(700)
    expect(service.came).toHaveLength(1)
    service.answer = (_came, response) => response.end('{"id":"abc"}')
    lateMs += hourMs
    expect(await settledLog(1)).toMatchObject([{ status: 'sent', attempts: 2 }])
  })

  test('is paused when it is gone, and others are told', async () => {
    const other = await openTestNtfy()
    const gone = await addChannel()
    const good = await addChannel({ server: other.url, name: 'Other' })
    await addRule({ channel_ids: [gone.id, good.id], kinds: ['needs_person', 'receiver_paused'] })
    start()
    service.answer = (_came, response) => response.writeHead(404).end('no such topic')
    await ask('p1')
    await t.settled(() => other.came.length === 2)
    expect(other.came.map((each) => each.json().title)).toContain('Nothing is sent to Workshop any more')
    expect(await channelOf(gone.id)).toMatchObject({ status: 'paused', pause_reason: 'gone' })
    service.answer = (_came, response) => response.end('{"id":"abc"}')
    await owner.request('PATCH', `/notification-channels/${gone.id}`, { is_active: true })
    expect(await channelOf(gone.id)).toMatchObject({ status: 'active' })
  })

  test('delays no other', async () => {
    const other = await openTestNtfy()
    const dead = await addChannel()
    const good = await addChannel({ server: other.url })
    await addRule({ channel_ids: [dead.id, good.id] })
    service.answer = () => undefined
    start()
    for (let n = 0; n < 5; n += 1) await ask(`p${n}`)
    await t.settled(() => other.came.length === 5)
    expect(service.came).toHaveLength(1)
  })
})

test('two processes share the work, and one that died is replaced when its lease ends', async () => {
  const channel = await addChannel()
  await addRule({ channel_ids: [channel.id] })
  start()
  const second = start()
  for (let n = 0; n < 10; n += 1) await ask(`p${n}`)
  await t.settled(() => service.came.length >= 10)
  expect(service.came).toHaveLength(10)
  await second.stop()
  await settledLog(10)
  await t.db.sql`
    update notification_channels set lease_id = 'nls_dead', leased_until = ${new Date(clock.now().getTime() + 90_000)}
    where account_id = ${account.id}`
  await ask('p10')
  await wait(1_500)
  expect(service.came).toHaveLength(10)
  lateMs += 91_000
  await t.settled(() => service.came.length === 11)
})

describe('a clock that is set', () => {
  test('back by hours lets nothing wait: what was to come is told once, at the time that its rule names', async () => {
    const failing = await openTestNtfy()
    const [channel, slow, away] = [await addChannel(), await addChannel(), await addChannel({ server: failing.url })]
    await addRule({ channel_ids: [channel.id, away.id] })
    await addRule({ channel_ids: [slow.id], kinds: ['print_failed', 'needs_person'], digest_minutes: 30 })
    failing.answer = (_came, response) => response.writeHead(500).end()
    lateMs = 3 * hourMs
    start()
    await ask('p1')
    await t.settled(
      async () => (await log('&status=pending')).filter((row: { attempts: number }) => row.attempts > 0).length === 1,
    )
    await t.settled(() => service.came.length === 1)
    // A message that is written down, and not sent yet, and a process that dies.
    await t.db.sql`
      update notification_channels set lease_id = 'nls_dead', leased_until = ${new Date(clock.now().getTime() + 90_000)}
      where account_id = ${account.id} and id = ${channel.id}`
    await ask('p2')
    await t.settled(async () => (await log('&status=pending')).length === 5)
    failing.answer = (_came, response) => response.end('{"id":"abc"}')
    lateMs = 0
    await t.settled(async () => (await log(`&channel_id=${away.id}&status=sent`)).length === 2)
    const leasedUntil = async () => {
      const [row] = await t.db.sql<{ leased_until: Date }[]>`
        select leased_until from notification_channels where account_id = ${account.id} and id = ${channel.id}`
      return row?.leased_until.getTime() ?? 0
    }
    await t.settled(async () => (await leasedUntil()) < Date.now() + hourMs)
    expect(service.came).toHaveLength(1)
    lateMs = 2 * 60_000 + 31_000
    await t.settled(() => service.came.length === 2)
    lateMs = 32 * 60_000
    const told = await settledLog(6)
    expect(told.every(({ status }: { status: string }) => status === 'sent')).toBe(true)
    expect(titles()).toEqual(['Look at p1', 'Look at p2', '2 notifications'])
  })

  test('back while nothing runs is noticed at the start', async () => {
    const channel = await addChannel()
    await addRule({ channel_ids: [channel.id] })
    lateMs = 20 * hourMs
    const first = start()
    service.answer = (_came, response) => response.writeHead(503, { 'retry-after': '3600' }).end()
    await ask('p1')
    await t.settled(async () => (await log())[0]?.attempts === 1)
    await first.stop()
    service.answer = (_came, response) => response.end('{"id":"abc"}')
    lateMs = 0
    start()
    await settledLog(1)
    expect(await log()).toMatchObject([{ status: 'sent', attempts: 2 }])
    expect(await channelOf(channel.id)).toMatchObject({ status: 'active' })
  })

  test('keeps quiet hours, whichever way it is set', async () => {
    const channel = await addChannel()
    const hourOf = (ms: number) => new Date(Date.now() + ms).toISOString().slice(11, 16)
    const quiet = { quiet_from: hourOf(-hourMs), quiet_to: hourOf(8 * hourMs), time_zone: 'UTC', urgent_passes: false }
    await addRule({ channel_ids: [channel.id], ...quiet })
    lateMs = 5 * hourMs
    start()
    await ask('p1')
    await t.settled(async () => (await log('&status=pending')).length === 1)
    lateMs = 0
    await wait(1_500)
    expect(service.came).toHaveLength(0)
    lateMs = 9 * hourMs
    await settledLog(1)
    expect(titles()).toEqual(['Look at p1'])
  })

  test('forward by hours loses nothing and tells nothing twice', async () => {
    const channel = await addChannel()
    await addRule({ channel_ids: [channel.id] })
    start()
    service.answer = (_came, response) => response.writeHead(500).end()
    await ask('p1')
    await t.settled(async () => (await log())[0]?.attempts === 1)
    for (let jump = 1; jump <= 3; jump += 1) {
      lateMs += 30 * hourMs
      await t.settled(async () => (await log())[0]?.attempts === jump + 1)
    }
    // It failed for more than three days by that clock, but four times only.
    expect(await channelOf(channel.id)).toMatchObject({ status: 'active' })
    service.answer = (_came, response) => response.end('{"id":"abc"}')
    lateMs += 5 * hourMs
    await settledLog(1)
    expect(await log()).toMatchObject([{ status: 'sent', attempts: 5 }])
  })
})

describe('the link by which a task is taken', () => {
  const open = (path: string, token: string) =>
    t.app.inject({ ...pageRequest('POST', path, undefined, { token }), remoteAddress: '10.9.9.9' })

  async function tokenOf(priority: 'medium' | 'high' = 'medium') {
    const channel = await addChannel({ user_id: owner.userId })
    await addRule({ channel_ids: [channel.id] })
    start()
    await ask('p1', priority)
    await t.settled(() => service.came.length === 1)
    const [take] = service.came[0]?.json().actions ?? []
    expect(take).toMatchObject({ label: 'I take it' })
    await settledLog(1)
    return take?.url.split('#')[1] ?? ''
  }
  const assignee = async () => {
    const [row] = await t.db.sql<{ assigned_to: string | null }[]>`
      select assigned_to from worklist_tasks where account_id = ${account.id}`
    return row?.assigned_to
  }

  test('takes it once, when it is confirmed; opening it, as previews do, takes nothing', async () => {
    const token = await tokenOf()
    await t.app.inject({ method: 'GET', url: '/take', headers: { accept: 'text/html', host: 'farm.example.com' } })
    expect((await open('/task-links/look', token)).json().data).toEqual({ title: 'Look at p1', person_name: 'A owner' })
    expect(await assignee()).toBeNull()
    expect((await open('/task-links/take', token)).statusCode).toBe(200)
    expect(await assignee()).toBe(owner.userId)
    expect((await open('/task-links/take', token)).json().error).toMatchObject({ code: 'TASK_LINK_INVALID' })
    expect(await log()).toMatchObject([{ taken_at: expect.any(String) }])
  })

  test('is good for a day, and for nothing but what it was made for', async () => {
    const token = await tokenOf()
    const stranger = await t.account()
    const colleague = await createTestPerson(t, account, 'operator')
    const [, notificationId = '', userId = '', ...rest] = token.split('-')
    const signature = rest.join('-')
    for (const forged of [
      `${stranger.id}-${notificationId}-${userId}-${signature}`,
      `${account.id}-${notificationId}-${colleague.userId}-${signature}`,
      `${account.id}-${notificationId}-${userId}-${'x'.repeat(signature.length)}`,
      token.slice(0, -1),
      'nonsense',
    ]) {
      expect((await open('/task-links/take', forged)).json().error.code).toBe('TASK_LINK_INVALID')
    }
    lateMs += 25 * hourMs
    expect((await open('/task-links/take', token)).json().error).toMatchObject({ code: 'TASK_LINK_INVALID' })
    expect(await assignee()).toBeNull()
  })

  test('acts in the name of whom the message was for alone, whomever the channel is given to', async () => {
    const token = await tokenOf()
    const [{ id }] = (await owner.request('GET', '/notification-channels')).json().data
    const colleague = await createTestPerson(t, account, 'operator')
    const leftOpen = await createTestPerson(t, account, 'admin', { isProven: false })
    const given = { user_id: colleague.userId }
    const refused = await leftOpen.request('PATCH', `/notification-channels/${id}`, given)
    expect(refused.json().error.code).toBe('PROOF_REQUIRED')
    expect((await owner.request('PATCH', `/notification-channels/${id}`, given)).statusCode).toBe(200)
    expect((await open('/task-links/take', token)).json().error.code).toBe('TASK_LINK_INVALID')
    expect(await assignee()).toBeNull()
  })

  test('takes no task from another, and none that is over', async () => {
    const token = await tokenOf()
    const other = await createTestPerson(t, account, 'operator')
    await t.db.sql`update worklist_tasks set assigned_to = ${other.userId} where account_id = ${account.id}`
    expect((await open('/task-links/take', token)).json().error).toMatchObject({ code: 'TASK_TAKEN' })
    await t.db.sql`update worklist_tasks set assigned_to = null where account_id = ${account.id}`
    await close('p1')
    expect((await open('/task-links/take', token)).json().error.code).toBe('TASK_ALREADY_COMPLETED')
  })
})

test('a channel that several read has no link that takes tasks', async () => {
  const channel = await addChannel()
  await addRule({ channel_ids: [channel.id] })
  start()
  await ask('p1')
  await t.settled(() => service.came.length === 1)
  expect(service.came[0]?.json().actions).toMatchObject([{ label: 'Open', url: `${publicUrl}/worklist` }])
})

test('what was entered for one server is never sent to another: who changes the server enters it again', async () => {
  const { id } = await addChannel()
  const other = await openTestNtfy()
  const change = (body: object) => owner.request('PATCH', `/notification-channels/${id}`, body)
  const refused = await change({ server: other.url })
  expect([refused.statusCode, refused.json().error.details]).toEqual([
    400,
    { token: ['is needed again: the server is another one'] },
  ])
  // The same server in other words, and another part of it, take nothing away.
  expect((await change({ server: `${service.url}/` })).statusCode).toBe(200)
  expect((await change({ topic: 'another' })).statusCode).toBe(200)
  expect((await change({ server: other.url, token: 'tk_other_one' })).statusCode).toBe(200)
  await owner.request('POST', `/notification-channels/${id}/test`)
  expect(other.came.map(({ headers }) => headers.authorization)).toEqual(['Bearer tk_other_one'])
  expect(service.came).toEqual([])
})

test.each(['tk_a\r\nX-Injected: 1', 'tk_ä', 'tk a'])(
  'a token of %j, which no header field can carry, is refused when it is entered',
  async (token) => {
    const body = { kind: 'ntfy', name: 'Workshop', server: service.url, topic: 'farm-topic', token }
    const answer = await owner.request('POST', '/notification-channels', body)
    expect([answer.statusCode, Object.keys(answer.json().error.details ?? {})]).toEqual([400, ['token']])
  },
)

test('the channels of one account that are slow to answer hold up no message of another account', async () => {
  const slow: ServerResponse[] = []
  service.answer = (_came, response) => void slow.push(response)
  for (let n = 0; n < mostOfAccount + 5; n += 1) await addChannel({ name: `Slow ${n}` })
  const channel_ids = (await owner.request('GET', '/notification-channels?limit=100'))
    .json()
    .data.map(({ id }: { id: string }) => id)
  await addRule({ channel_ids })
  start()
  await ask('p1')
  await t.settled(() => slow.length === mostOfAccount)
  await wait(1_200)
  expect(slow).toHaveLength(mostOfAccount)
  for (const response of slow.splice(0)) response.end(JSON.stringify({ id: 'abc', event: 'message' }))
  await t.settled(() => slow.length === 5)
  for (const response of slow) response.end(JSON.stringify({ id: 'abc', event: 'message' }))
  await settledLog(mostOfAccount + 5)
})

test('an account with very many browsers and much to tell holds up no event of another account', async () => {
  const [channel] = await t.db.sql<{ id: string }[]>`
    select id from notification_channels where account_id = ${account.id} and id = ${(await addChannel()).id}`
  // Told, but not sent to: what counts here is how long it takes to write down whom to tell.
  await t.db.sql`
    insert into notification_channels (account_id, id, kind, name, user_id, target, settings_sealed, endpoint_hash, paused_at,
      pause_reason, created_by, created_at, updated_at)
    select account_id, id || n, 'web_push', name, ${owner.userId}, target, settings_sealed, sha256(n::text::bytea), now(),
      'gone', created_by, created_at, updated_at
    from notification_channels, generate_series(1, 1500) n
    where account_id = ${account.id} and id = ${channel?.id ?? ''}`
  await addRule({ to_acting_members: true })
  for (let n = 0; n < 60; n += 1) await ask(`p${n}`)
  const other = await t.account()
  const countOf = async () => {
    const [row] = await t.db.sql<{ count: number }[]>`
      select count(*) as count from notifications where account_id = ${account.id}`
    return Number(row?.count)
  }
  start()
  let longestMs = 0
  while ((await countOf()) < 60 * 1_500) {
    const { id } = (await other.request('POST', '/products', { name: crypto.randomUUID() })).json().data
    const since = performance.now()
    const isTold = async () => (await other.request('GET', `/events?subject=${id}`)).json().data.length === 1
    await t.settled(isTold)
    longestMs = Math.max(longestMs, performance.now() - since)
  }
  expect(longestMs).toBeLessThan(4_000)
}, 120_000)

describe('browsers', () => {
  /** A subscription as a browser makes it, at a push service on this machine. */
  function subscription(path = '/push/1') {
    const browser = createECDH('prime256v1')
    browser.generateKeys()
    const keys = { p256dh: browser.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
    return { name: 'Firefox on Linux', endpoint: `${service.url}${path}`, keys }
  }

  test('of members who may act are told by the first rule, encrypted and signed', async () => {
    const { public_key: key } = (await owner.request('GET', '/push-key')).json().data
    expect(Buffer.from(key, 'base64url')).toHaveLength(65)
    const viewer = await createTestPerson(t, account, 'viewer')
    const mine = subscription()
    expect((await owner.request('POST', '/push-devices', mine)).statusCode).toBe(201)
    expect((await viewer.request('POST', '/push-devices', subscription('/push/2'))).statusCode).toBe(201)
    // The same browser again is the same one.
    await owner.request('POST', '/push-devices', { ...mine, name: 'Renamed' })
    expect((await owner.request('GET', '/push-devices')).json().data).toMatchObject([{ name: 'Renamed' }])
    const rules = (await owner.request('GET', '/notification-rules')).json().data
    expect(rules).toMatchObject([{ kinds: ['needs_person'], to_acting_members: false, to_on_shift: true }])
    start()
    service.answer = (_came, response) => response.writeHead(201).end()
    await ask('p1', 'high')
    await settledLog(1)
    expect(service.came.map(({ path }) => path)).toEqual(['/push/1'])
    expect(service.came[0]?.headers).toMatchObject({
      ttl: '86400',
      urgency: 'high',
      'content-encoding': 'aes128gcm',
      authorization: expect.stringMatching(new RegExp(`^vapid t=.+, k=${key}$`)),
      topic: expect.stringMatching(/^[\w-]{32}$/),
    })
    expect(service.came[0]?.body.toString('latin1')).not.toContain('Look at')
  })

  test.each([
    ['no point of the curve', { p256dh: 'A'.repeat(87) }],
    ['too short', { p256dh: 'A'.repeat(80) }],
  ])('whose key is %s are refused, as nothing could be encrypted for them', async (_, wrong) => {
    const { keys, ...device } = subscription()
    const answer = await owner.request('POST', '/push-devices', { ...device, keys: { ...keys, ...wrong } })
    expect([answer.statusCode, answer.json().error.details]).toEqual([
      400,
      { 'keys.p256dh': ['is no key of a browser'] },
    ])
  })

  test('of a person are the twenty newest, so that no one uses up the channels of the account', async () => {
    for (let n = 1; n <= mostDevices + 2; n += 1) {
      const added = await owner.request('POST', '/push-devices', {
        ...subscription(`/push/${n}`),
        name: `Browser ${n}`,
      })
      expect(added.statusCode).toBe(201)
    }
    const other = await createTestPerson(t, account, 'viewer')
    await other.request('POST', '/push-devices', subscription('/push/other'))
    const names = (await owner.request('GET', '/push-devices?limit=50'))
      .json()
      .data.map(({ name }: { name: string }) => name)
    expect(names).toHaveLength(mostDevices)
    expect([names[0], names.at(-1)]).toEqual([`Browser ${mostDevices + 2}`, 'Browser 3'])
    expect((await other.request('GET', '/push-devices')).json().data).toHaveLength(1)
  })

  test('are told again later when their service refuses the signature of a machine whose clock is wrong', async () => {
    await owner.request('POST', '/push-devices', subscription())
    start()
    const refuse = (date: Date) => {
      service.answer = (_came, response) => response.writeHead(403, { date: date.toUTCString() }).end()
    }
    refuse(new Date(Date.now() - 30 * hourMs))
    await ask('p1')
    await t.settled(async () => (await log())[0]?.attempts === 1)
    expect(await log()).toMatchObject([{ status: 'pending' }])
    refuse(new Date())
    await ask('p2')
    await t.settled(async () => (await log('&status=failed')).length === 1)
  })

  test('that have ended their subscription are forgotten, and each person sees their own alone', async () => {
    const device = (await owner.request('POST', '/push-devices', subscription())).json().data
    const other = await createTestPerson(t, account, 'admin')
    expect((await other.request('GET', '/push-devices')).json().data).toEqual([])
    expect((await other.request('DELETE', `/push-devices/${device.id}`)).statusCode).toBe(404)
    expect((await other.request('POST', `/notification-channels/${device.id}/test`)).statusCode).toBe(404)
    start()
    service.answer = (_came, response) => response.writeHead(410).end()
    await ask('p1')
    await t.settled(async () => (await owner.request('GET', '/push-devices')).json().data.length === 0)
    const again = (await owner.request('POST', '/push-devices', subscription())).json().data
    expect((await owner.request('DELETE', `/push-devices/${again.id}`)).statusCode).toBe(200)
  })
})
