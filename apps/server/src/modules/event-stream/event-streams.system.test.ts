import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ApiKeyId } from '../../kernel/ids.ts'
import { type OpenStream, openStream, originOf } from '../../test/app/open-stream.ts'
import { systemWork } from '../../test/app/system-work.ts'
import { createTestApp, type TestAccount, type TestApp } from '../../test/app/test-app.ts'
import { createTestFarm, type TestFarm } from '../../test/farm/test-farm.ts'
import { cookieOf, createTestPerson } from '../../test/farm/test-person.ts'
import { createTestDatabase } from '../../test/run/test-database.ts'
import type { NewEvent } from '../events/event-catalogue.ts'
import { findEndOfFeed } from '../events/event-feed.queries.ts'
import { recordEvent, recordEvents } from '../events/events.queries.ts'
import { workOfUser } from '../events/work.ts'
import { revokeApiKey } from '../people/api-keys/api-keys.service.ts'
import { startSession } from '../people/sign-in/sessions.service.ts'

let t: TestApp
let origin: string
let farm: TestAccount
beforeAll(async () => {
  t = await createTestApp()
  origin = await originOf(t)
})
beforeEach(async () => {
  farm = await t.account()
})
afterAll(() => t.close())

async function open(
  account: Pick<TestAccount, 'key'> = farm,
  headers: Record<string, string> = {},
  at = origin,
): Promise<OpenStream> {
  const stream = await openStream(at, '/public/v1/events/stream', {
    authorization: `Bearer ${account.key}`,
    ...headers,
  })
  onTestFinished(() => stream.close())
  await t.settled(() => stream.text() !== '' || stream.isEnded())
  return stream
}

/** Of a type that only tests have. */
const event = (subjectId: string) =>
  ({ type: 'thing.changed', subjectId, data: {}, actor: 'system' }) as unknown as NewEvent
const record = (subjectId: string, account = farm) => recordEvent(t.db.sql, account.id, event(subjectId))

const subjectOf = ({ subjectId }: NewEvent) => subjectId
const subjects = (stream: OpenStream) =>
  stream.frames.flatMap((frame) => (frame.event === 'change' ? String(frame.data?.subject_id) : []))

/** Waits until what was recorded so far is final. */
async function settledFeed(account = farm): Promise<string> {
  const [last] = await t.db.sql<{ id: string }[]>`
    select id from events where account_id = ${account.id} order by txid desc, id desc limit 1`
  await t.settled(async () => (await findEndOfFeed(t.db.sql, account.id)).id === last?.id)
  return last?.id ?? ''
}

test('what happens comes at once, as frames that nothing between may hold back or change', async () => {
  const stream = await open()
  expect(stream.status).toBe(200)
  expect(Object.fromEntries(stream.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.any(String),
    'x-ratelimit-limit': expect.any(String),
  })
  expect(stream.headers.has('content-encoding')).toBe(false)
  expect(stream.text()).toMatch(/^retry: 2000\n/)
  await record('one')
  await t.settled(() => subjects(stream).includes('one'))
  const frame = stream.frames.find(({ event }) => event === 'change')
  expect(frame).toEqual({
    id: frame?.data?.id,
    event: 'change',
    data: {
      id: expect.stringMatching(/^evt_/),
      type: 'thing.changed',
      subject_id: 'one',
      data: {},
      actor: 'system',
      created_at: expect.any(String),
    },
  })
})

test('a stream begins where the feed ends, and can be resumed from there before anything has happened', async () => {
  const before = await settledFeed()
  const stream = await open()
  const [greeting] = stream.frames
  expect(greeting?.id).toBe(before)
  stream.close()
  await record('meanwhile')
  const resumed = await open(farm, { 'last-event-id': String(greeting?.id) })
  await t.settled(() => subjects(resumed).length > 0)
  expect(subjects(resumed)).toEqual(['meanwhile'])
})

test('nothing of another account is heard', async () => {
  const neighbour = await t.account()
  const [mine, theirs] = [await open(), await open(neighbour)]
  await record('mine')
  await record('theirs', neighbour)
  await t.settled(() => subjects(mine).length > 0 && subjects(theirs).length > 0)
  expect([subjects(mine), subjects(theirs)]).toEqual([['mine'], ['theirs']])
})

test('of sign-ins, invitations and keys only those hear who run the account, and everybody of their own', async () => {
  const people = {
    admin: await createTestPerson(t, farm, 'admin'),
    viewer: await createTestPerson(t, farm, 'viewer'),
    operator: await createTestPerson(t, farm, 'operator'),
  }
  const before = await settledFeed()
  const about = (userId: string): NewEvent[] => [
    { type: 'session.started', subjectId: `ses_${userId}`, data: { user_id: userId }, actor: 'system' },
    { type: 'user.totp_enabled', subjectId: userId, data: {}, actor: 'system' },
    {
      type: 'invitation.accepted',
      subjectId: `ivn_${userId}`,
      data: { user_id: userId, was_member: true },
      actor: 'system',
    },
    { type: 'session.ended', subjectId: `ses_end_${userId}`, data: { user_id: userId, why: 'left' }, actor: 'system' },
  ]
  const [others, own] = [about('usr_else'), about(people.viewer.userId)]
  await recordEvents(t.db.sql, farm.id, [...others, ...own, event('end')])
  await settledFeed()
  const expected = {
    key: ['end'],
    admin: [...others.map(subjectOf), ...own.map(subjectOf), 'end'],
    viewer: [...own.map(subjectOf), 'end'],
    operator: ['end'],
  }
  for (const [who, heard] of Object.entries(expected)) {
    const person = people[who as keyof typeof people] as (typeof people)['admin'] | undefined
    const prefix = person ? '/app/v1' : '/public/v1'
    const identity: Record<string, string> = person
      ? { cookie: person.cookie }
      : { authorization: `Bearer ${farm.key}` }
    const stream = await openStream(origin, `${prefix}/events/stream`, { ...identity, 'last-event-id': before })
    onTestFinished(() => stream.close())
    await t.settled(() => subjects(stream).includes('end'))
    const told = (seen: { subject_id: string }) => seen.subject_id
    const frames = stream.frames.filter((frame) => frame.event === 'change')
    expect(
      frames.map((frame) => told(frame.data as never)),
      `the stream of ${who}`,
    ).toEqual(heard)
    const answer = await fetch(`${origin}${prefix}/events?after=${before}`, { headers: identity })
    const feed = (await answer.json()) as { data: { type: string; subject_id: string }[] }
    expect(feed.data.map(told), `the feed of ${who}`).toEqual(heard)
  }
})

test('streams that are cut again and again give every event once, and in order, while others write', async () => {
  await cutAgainAndAgain(120)
})

test('so they do while transactions of another database on the same server come and go', async () => {
  await using other = await busyDatabase()
  await cutAgainAndAgain(1_000)
  expect(other.transactions()).toBeGreaterThan(500)
})

async function cutAgainAndAgain(total: number): Promise<void> {
  await settledFeed()
  const first = await open()
  let lastId = String(first.frames[0]?.id)
  first.close()
  const writing = (async () => {
    for (let number = 0; number < total; number += 1)
      await t.db.begin((sql) => recordEvent(sql, farm.id, event(`n${number}`)))
  })()
  const heard: string[] = []
  for (let round = 0; round < 2 * total && heard.length < total; round += 1) {
    const stream = await open(farm, { 'last-event-id': lastId })
    const wanted = Math.min(1 + (round % 7), total - heard.length)
    await t.settled(() => stream.ids().length >= wanted || stream.isEnded())
    stream.close()
    heard.push(...subjects(stream))
    lastId = stream.ids().at(-1) ?? lastId
  }
  await writing
  expect(heard).toEqual(Array.from({ length: total }, (_, number) => `n${number}`))
}

/** Another database of the same server, in which transactions run beside one another, a few milliseconds each. */
async function busyDatabase(): Promise<AsyncDisposable & { transactions(): number }> {
  const db = await createTestDatabase()
  let transactions = 0
  let isOver = false
  async function comeAndGo(ms: number): Promise<void> {
    while (!isOver) {
      await db.begin(async (sql) => {
        await sql`select pg_current_xact_id(), pg_sleep(${ms / 1_000})`
      })
      transactions += 1
    }
  }
  const running = Promise.all([...Array(20).keys()].map((n) => comeAndGo(1 + (n % 10))))
  return {
    transactions: () => transactions,
    async [Symbol.asyncDispose]() {
      isOver = true
      await running
      await db.close()
    },
  }
}

test('a stream goes on in another process, and after a restart, where it was', async () => {
  await settledFeed()
  const stream = await open()
  await record('before')
  await t.settled(() => subjects(stream).includes('before'))
  const lastId = String(stream.ids().at(-1))
  stream.close()
  await record('between')
  const other = await createTestApp({ context: { db: t.context.db } })
  try {
    const resumed = await open(farm, { 'last-event-id': lastId }, await originOf(other))
    await t.settled(() => subjects(resumed).includes('between'))
    // Written by a process that tells this one nothing: the sweep finds it.
    await t.db.sql`
      insert into events (account_id, id, type, subject_id, data, actor)
      values (${farm.id}, ${`evt_${'0'.repeat(26)}`}, 'thing.changed', 'elsewhere', '{}', 'system')`
    await t.settled(() => subjects(resumed).includes('elsewhere'))
    expect(subjects(resumed)).toEqual(['between', 'elsewhere'])
  } finally {
    await other.close()
  }
})

test('who resumes from what is unknown, or too far back, is told to read everything again', async () => {
  await record('old')
  const end = await settledFeed()
  const unknown = await open(farm, { 'last-event-id': 'evt_none' })
  await t.settled(() => unknown.frames.some((frame) => frame.event === 'reset'))
  expect(unknown.frames.find((frame) => frame.event === 'reset')?.id).toBe(end)
  await recordEvents(
    t.db.sql,
    farm.id,
    Array.from({ length: 5_001 }, (_, number) => event(`n${number}`)),
  )
  const far = await open(farm, { 'last-event-id': end })
  await t.settled(() => far.frames.some((frame) => frame.event === 'reset'))
  await settledFeed()
  await record('new')
  await t.settled(() => subjects(far).includes('new') && subjects(unknown).includes('new'))
})

test('a long way back is given whole', async () => {
  const end = await settledFeed()
  await recordEvents(
    t.db.sql,
    farm.id,
    Array.from({ length: 1_700 }, (_, number) => event(`n${number}`)),
  )
  await settledFeed()
  const stream = await open(farm, { 'last-event-id': end })
  await t.settled(() => subjects(stream).length >= 1_700)
  expect(subjects(stream)).toEqual(Array.from({ length: 1_700 }, (_, number) => `n${number}`))
})

test('a reader who takes nothing is cut off, and harms no other', async () => {
  const address = new URL(origin)
  const slow = connect(Number(address.port), address.hostname)
  onTestFinished(() => void slow.destroy())
  let isClosed = false
  slow.on('close', () => {
    isClosed = true
  })
  slow.on('error', () => undefined)
  slow.write(
    `GET /public/v1/events/stream HTTP/1.1\r\nHost: ${address.host}\r\nAuthorization: Bearer ${farm.key}\r\n\r\n`,
  )
  await new Promise((resolve) => slow.once('readable', resolve))
  // From here on it reads nothing more.
  slow.pause()
  const quick = await open()
  const note = 'x'.repeat(20_000)
  let written = 0
  // 16 MB in all: more than the two ends of a connection hold for each other.
  for (let batch = 0; batch < 40; batch += 1) {
    const events = Array.from(
      { length: 20 },
      (_, n) => ({ ...event(`n${written + n}`), data: { note } }) as unknown as NewEvent,
    )
    await recordEvents(t.db.sql, farm.id, events)
    written += events.length
    await t.settled(() => subjects(quick).length >= written)
  }
  // Anyone who reads finds out that the other side has gone; a stream that still stood would bring it everything.
  slow.resume()
  await t.settled(() => isClosed)
  expect(subjects(quick)).toEqual(Array.from({ length: written }, (_, number) => `n${number}`))
})

describe('a stream ends', () => {
  test('when its key is revoked, and before anything that happens after', async () => {
    const stream = await open()
    const [key] = await t.db.sql<{ id: ApiKeyId }[]>`select id from api_keys where account_id = ${farm.id}`
    await t.db.begin((sql) => revokeApiKey(systemWork(sql, farm.id), key?.id as ApiKeyId))
    await record('later')
    await t.settled(() => stream.isEnded())
    expect(subjects(stream)).not.toContain('later')
  })

  test('when another process has revoked its key', async () => {
    const stream = await open()
    await t.db.sql`update api_keys set revoked_at = now() where account_id = ${farm.id}`
    await t.settled(() => stream.isEnded())
  })

  test('when its session is signed out, looks at another account, or its person is removed', async () => {
    const open = async (cookie: string) => {
      const stream = await openStream(origin, '/app/v1/events/stream', { cookie })
      onTestFinished(() => stream.close())
      await t.settled(() => stream.text() !== '')
      return stream
    }
    const [leaving, moving, removed, staying] = await Promise.all(
      Array.from({ length: 4 }, () => createTestPerson(t, farm, 'viewer')),
    )
    const streams: OpenStream[] = []
    for (const person of [leaving, moving, removed, staying]) {
      streams.push(await open(person?.cookie ?? ''))
    }
    const other = await t.account()
    await t.db.sql`
      insert into members (account_id, id, user_id, role)
      values (${other.id}, 'mem_second', ${moving?.userId ?? ''}, 'viewer')`
    await leaving?.request('POST', '/sign-out')
    await moving?.request('PUT', '/session/account', { account_id: other.id })
    await t.db.sql`delete from members where account_id = ${farm.id} and user_id = ${removed?.userId ?? ''}`
    await t.settled(() => streams.slice(0, 3).every((stream) => stream.isEnded()))
    expect(streams[3]?.isEnded()).toBe(false)
  })

  test('when the service stops, which does not wait for it', async () => {
    const other = await createTestApp()
    const account = await other.account()
    const stream = await open(account, {}, await originOf(other))
    await other.close()
    await t.settled(() => stream.isEnded())
  })
})

test('one key holds so many streams and no more, and a place is free again when one is closed', async () => {
  const streams = []
  for (let number = 0; number < 20; number += 1) streams.push(await open())
  const tooMany = await farm.request('GET', '/events/stream')
  expect([tooMany.statusCode, tooMany.json().error.code]).toEqual([429, 'STREAM_LIMIT_REACHED'])
  expect(tooMany.headers['retry-after']).toBe('30')
  streams[0]?.close()
  let again: OpenStream | undefined
  await t.settled(async () => {
    again = await open()
    return again.status === 200
  })
  again?.close()
})

test('a person holds so many streams over all their sessions, and leaves room for others', async () => {
  const person = await createTestPerson(t, farm, 'viewer')
  const request = { ip: '127.0.0.1', headers: {} }
  const cookies = [person.cookie]
  for (let browser = 0; browser < 3; browser += 1) {
    const { userId } = person
    const { token } = await t.context.db.begin((sql) =>
      startSession(workOfUser(t.context, sql, farm.id, userId), request, { userId, provenAt: null }),
    )
    cookies.push(cookieOf(token))
  }
  const openAs = async (cookie: string) => {
    const stream = await openStream(origin, '/app/v1/events/stream', { cookie })
    onTestFinished(() => stream.close())
    return stream.status
  }
  for (const cookie of cookies.slice(0, 3)) {
    for (let tab = 0; tab < 20; tab += 1) expect(await openAs(cookie)).toBe(200)
  }
  expect(await openAs(cookies[3] as string)).toBe(429)
  expect(await openAs((await createTestPerson(t, farm, 'viewer')).cookie)).toBe(200)
})

test('without the right to read, or in a form that it has not, nothing is opened', async () => {
  const writer = await t.account({ scopes: ['write'] })
  expect((await writer.request('GET', '/events/stream')).json().error.code).toBe('INSUFFICIENT_SCOPE')
  expect((await writer.request('POST', '/events/stream')).json().error.code).toBe('METHOD_NOT_ALLOWED')
})

describe('live', () => {
  let printing: TestFarm
  beforeAll(async () => {
    printing = await createTestFarm(t)
  })
  afterAll(() => printing.hub.close())

  const live = (stream: OpenStream) =>
    stream.frames.flatMap((frame) => (frame.event === 'live' && frame.data ? [frame.data] : []))

  test('only what changed of a printer comes, without an ID, and nothing when no one could see a difference', async () => {
    const stream = await open(printing.account)
    const { hub, printerId } = printing
    const report = (temperatures: { nozzle_temp: number; bed_temp: number }) =>
      hub.telemetry(printerId, { status: 'idle', ...temperatures })
    report({ nozzle_temp: 25, bed_temp: 24 })
    await t.settled(() => live(stream).length > 0)
    expect(live(stream)[0]).toMatchObject({ printer_id: printerId, status: 'idle', nozzle_temp: 25, progress: null })
    report({ nozzle_temp: 25.2, bed_temp: 24 })
    report({ nozzle_temp: 60, bed_temp: 24 })
    await t.settled(() => live(stream).length > 1)
    expect(live(stream)[1]).toEqual({ printer_id: printerId, nozzle_temp: 60 })
    report({ nozzle_temp: 60.3, bed_temp: 24 })
    report({ nozzle_temp: 60.3, bed_temp: 50 })
    await t.settled(() => live(stream).length > 2)
    expect(live(stream)[2]).toEqual({ printer_id: printerId, bed_temp: 50 })
    expect(stream.frames.filter((frame) => frame.event === 'live' && frame.id !== undefined)).toEqual([])
  })

  test('many reports of one printer become one frame with the last of them', async () => {
    const stream = await open(printing.account)
    for (let progress = 0; progress < 100; progress += 1) printing.hub.telemetry(printing.printerId, { progress })
    await t.settled(() => live(stream).some((fields) => fields.progress === 99))
    // A slow machine may spread the reports over several seconds, of which each has a frame.
    expect(live(stream).length).toBeLessThan(50)
  })

  test('a hub that goes and comes is told of, and its printers are told of again', async () => {
    const stream = await open(printing.account)
    const hubs = () => stream.frames.flatMap((frame) => (frame.event === 'hub' ? [frame.data] : []))
    await printing.hub.close()
    await t.settled(() => hubs().length > 0)
    expect(hubs()[0]).toEqual({ hub_id: printing.hubId, is_online: false })
    printing.hub = await printing.reconnect()
    printing.hub.telemetry(printing.printerId, { status: 'idle', nozzle_temp: 31 })
    await t.settled(() => live(stream).some((fields) => fields.nozzle_temp === 31))
    expect(hubs()).toEqual([
      { hub_id: printing.hubId, is_online: false },
      { hub_id: printing.hubId, is_online: true },
    ])
    expect(Object.keys(live(stream).at(-1) ?? {})).toContain('progress')
  })

  test('what a hub has found is told, with the end of a look at an address, and to its own account alone', async () => {
    const stranger = await open()
    const stream = await open(printing.account)
    const told = () => stream.frames.flatMap((frame) => (frame.event === 'candidates' ? [frame.data] : []))
    printing.hub.send('discovered', { candidates: [] })
    await t.settled(() => told().length > 0)
    const looked = { address: '192.168.1.20', found: 0, problem: null }
    printing.hub.send('discovered', { candidates: [], looked })
    await t.settled(() => told().length > 1)
    expect(told()).toEqual([
      { hub_id: printing.hubId, looked: null },
      { hub_id: printing.hubId, looked },
    ])
    expect(stranger.frames.filter((frame) => frame.event === 'candidates')).toEqual([])
  })

  test('printers of another account are not heard', async () => {
    const stream = await open()
    const theirs = await open(printing.account)
    printing.hub.telemetry(printing.printerId, { nozzle_temp: 77 })
    await t.settled(() => live(theirs).some((fields) => fields.nozzle_temp === 77))
    expect(live(stream)).toEqual([])
  })
})
