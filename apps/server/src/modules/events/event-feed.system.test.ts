import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../kernel/ids.ts'
import { createTestApp, type TestAccount, type TestApp } from '../../test/app/test-app.ts'
import { createTestPerson } from '../../test/farm/test-person.ts'
import { explaining, readPlan } from '../../test/run/query-plan.ts'
import { createTestDatabase } from '../../test/run/test-database.ts'
import type { NewEvent } from './event-catalogue.ts'
import { acceptRestoredEvents, type EventRow, listEventsAfter, listEventsBack } from './event-feed.queries.ts'
import { recordEvent } from './events.queries.ts'

let t: TestApp
let farm: TestAccount
/** The end of the feed when a test begins. */
let start: string
beforeAll(async () => {
  t = await createTestApp()
})
beforeEach(async () => {
  farm = await t.account()
  await t.settled(async () => (await read('latest')).meta.last_id !== null)
  start = (await read('latest')).meta.last_id
})
afterAll(() => t.close())

async function read(after: string | undefined, limit = 100) {
  const query = `limit=${limit}${after === undefined ? '' : `&after=${after}`}`
  return (await farm.request('GET', `/events?${query}`)).json()
}

const subjects = (page: { data: { subject_id: string }[] }) => page.data.map((event) => event.subject_id)

function record(sql: Parameters<typeof recordEvent>[0], subjectId: string, type = 'thing.changed') {
  // Of a type that only tests have.
  const event = { type, subjectId, data: { note: subjectId }, actor: 'system' } as unknown as NewEvent
  return recordEvent(sql, farm.id, event)
}

/** A transaction that stays open until it is told to end. */
async function openTransaction(begin: TestApp['db']['begin'], work: (sql: Transaction) => Promise<void>) {
  let end: () => void = () => undefined
  const told = new Promise<void>((resolve) => {
    end = resolve
  })
  let hasWritten: () => void = () => undefined
  const written = new Promise<void>((resolve) => {
    hasWritten = resolve
  })
  const over = begin(async (sql) => {
    await work(sql)
    hasWritten()
    await told
  })
  await Promise.race([written, over])
  return {
    async commit() {
      end()
      await over
    },
  }
}

test('an event tells what happened, to what, when and by whom', async () => {
  await record(t.db.sql, 'one')
  await t.settled(async () => (await read(start)).data.length === 1)
  const { data, meta } = await read(start)
  expect(data).toEqual([
    {
      id: expect.stringMatching(/^evt_/),
      type: 'thing.changed',
      subject_id: 'one',
      data: { note: 'one' },
      actor: 'system',
      created_at: expect.any(String),
    },
  ])
  expect(meta).toEqual({ limit: 100, count: 1, last_id: data[0].id })
})

test('read on and on, nothing is left out or given twice, and the end can be asked from again', async () => {
  for (let number = 0; number < 25; number += 1) await record(t.db.sql, `n${number}`)
  await t.settled(async () => (await read(start)).data.length === 25)
  const seen: string[] = []
  let after = start
  for (let pages = 0; pages < 10; pages += 1) {
    const page = await read(after, 7)
    seen.push(...subjects(page))
    after = page.meta.last_id
  }
  expect(seen).toEqual(Array.from({ length: 25 }, (_, number) => `n${number}`))
  expect((await read('latest')).meta.last_id).toBe(after)
})

test('a reader may ask for one type, a group of types or one subject, and reads on behind what does not fit', async () => {
  await t.db.begin(async (sql) => {
    await record(sql, 'one', 'thing.changed')
    await record(sql, 'two', 'thing.made')
    await record(sql, 'one', 'thing.made')
    await record(sql, 'one', 'things.made')
  })
  const find = async (query: string) =>
    (await farm.request('GET', `/events?after=${start}&limit=100&${query}`)).json() as Awaited<ReturnType<typeof read>>
  await t.settled(async () => (await read(start)).data.length === 4)
  for (const [query, found] of [
    ['type=thing.made', ['two', 'one']],
    ['type=thing.*', ['one', 'two', 'one']],
    ['subject=one', ['one', 'one', 'one']],
    ['subject=one&type=thing.made', ['one']],
    ['type=nothing', []],
    ['type=*', []],
  ] as const) {
    expect([query, subjects(await find(query))]).toEqual([query, found])
  }
  const { meta } = await find('type=nothing')
  expect(meta.last_id).toBe((await read(start)).meta.last_id)
})

test('what is committed late is given after what was, never before it, and never missed', async () => {
  // The first one takes its number and its IDs before the second begins, and is committed after it.
  const slow = await openTransaction(t.db.begin, (sql) => record(sql, 'started first'))
  await t.db.begin((sql) => record(sql, 'committed first'))
  // Nothing is final while the first could still come before it.
  expect(await read(start)).toMatchObject({ data: [], meta: { last_id: start } })
  expect((await read('latest')).meta.last_id).toBe(start)
  await slow.commit()
  await t.settled(async () => (await read(start)).data.length === 2)
  expect(subjects(await read(start))).toEqual(['started first', 'committed first'])
})

test('an ID that is older than what was read already does not hide an event', async () => {
  // Made before, but its transaction writes only after the other is committed.
  const oldId = newId('event')
  await record(t.db.sql, 'newer ID')
  await t.settled(async () => (await read(start)).data.length === 1)
  const { last_id: position } = (await read(start)).meta
  await t.db.sql`
    insert into events (account_id, id, type, subject_id, data, actor)
    values (${farm.id}, ${oldId}, 'thing.changed', 'older ID', '{}', 'system')`
  await t.settled(async () => (await read(position)).data.length === 1)
  expect(subjects(await read(position))).toEqual(['older ID'])
})

test('a transaction of another database holds nothing up', async () => {
  const other = await createTestDatabase()
  try {
    const id = newId('account')
    const slow = await openTransaction(other.begin, async (sql) => {
      await sql`insert into accounts (id, name) values (${id}, 'Elsewhere')`
    })
    await record(t.db.sql, 'meanwhile')
    await t.settled(async () => (await read(start)).data.length === 1)
    await slow.commit()
  } finally {
    await other.close()
  }
})

test('what others were given is final, whatever seems to run before it', async () => {
  const running = await openTransaction(t.db.begin, async (sql) => {
    await sql`select pg_current_xact_id()`
  })
  await record(t.db.sql, 'given')
  await record(t.db.sql, 'not yet')
  const rows = await t.db.sql<EventRow[]>`
    select id, txid from events where account_id = ${farm.id} and subject_id in ('given', 'not yet') order by txid`
  const [given] = rows
  if (given === undefined) throw new Error('nothing was recorded')
  const from = { id: given.id, txid: given.txid - 1 }
  const readOn = (options?: Parameters<typeof listEventsAfter>[5]) =>
    listEventsAfter(t.db.sql, farm.id, from, 50, undefined, options)
  expect(await readOn()).toEqual({ events: [], isWaiting: true })
  const { events, isWaiting } = await readOn({ given })
  expect([events.map(({ subject_id }) => subject_id), isWaiting]).toEqual([['given'], true])
  await running.commit()
  expect((await readOn()).events.map(({ subject_id }) => subject_id)).toEqual(['given', 'not yet'])
})

test('many writers at once lose nothing to a reader who follows them', async () => {
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let number = 0; number < 15; number += 1) {
      await t.db.begin(async (sql) => {
        await record(sql, `${writer}-${number}`)
        await sql`select pg_sleep(${Math.random() / 50})`
      })
    }
  })
  const seen: string[] = []
  let after = start
  let areDone = false
  const writing = Promise.all(writers).then(() => {
    areDone = true
  })
  await t.settled(async () => {
    const wereDone = areDone
    const page = await read(after, 10)
    seen.push(...subjects(page))
    after = page.meta.last_id
    return wereDone && seen.length >= 8 * 15
  })
  await writing
  expect(seen).toHaveLength(8 * 15)
  expect(new Set(seen).size).toBe(8 * 15)
})

test("an unknown event, and another account's, is no place to begin", async () => {
  const neighbour = await t.account()
  const findLatest = async () => (await neighbour.request('GET', '/events?after=latest')).json().meta.last_id
  await t.settled(async () => (await findLatest()) !== null)
  const foreign = await findLatest()
  for (const after of [foreign, 'evt_none']) {
    const answer = await farm.request('GET', `/events?after=${after}`)
    expect(answer.json().error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { after: ['is not the ID of an event of this account'] },
    })
  }
})

test('events of a restored database are given at once, and before all that come', async () => {
  const ids = [newId('event'), newId('event'), newId('event')]
  const far = 4_000_000_000_000
  await t.db.sql`
    insert into events (account_id, id, type, subject_id, data, actor, txid)
    select ${farm.id}, id, 'thing.changed', id, '{}', 'system', ${far} - number
    from unnest(${ids}::text[]) with ordinality as restored (id, number)`
  const untouched = await t.account()
  const [before] = await t.db.sql`select min(txid) as txid from events where account_id = ${untouched.id}`
  expect(subjects(await read(start))).toEqual([])
  await acceptRestoredEvents(t.db.sql)
  await record(t.db.sql, 'new')
  let seen: string[] = []
  // One read may still wait for a transaction of another database that the read before knew to be none of ours.
  await t.settled(async () => {
    seen = subjects(await read(undefined))
    return seen.includes('new')
  })
  expect(seen.slice(-4)).toEqual([...ids, 'new'])
  const [after] = await t.db.sql`select min(txid) as txid from events where account_id = ${untouched.id}`
  expect(after).toEqual(before)
})

test('the feed, and looking back, read no more than they give', async () => {
  await t.db.sql`
    insert into events (account_id, id, type, subject_id, data, actor)
    select ${farm.id}, 'evt_' || lpad(number::text, 26, '0'), 'thing.t' || number % 50, 'thing' || number % 500, '{}',
      'key:' || number % 50
    from generate_series(1, 10000) number`
  await t.db.sql`analyze events`
  const sql = explaining(t.db.sql)
  const page = { limit: 50, offset: 0 }
  const indexOf = (plan: unknown) => readPlan(plan).indexes
  expect(indexOf(await listEventsBack(sql, farm.id, {}, page))).toEqual(['events_pkey'])
  expect(indexOf(await listEventsBack(sql, farm.id, { subject: 'thing7' }, page))).toEqual(['events_by_subject'])
  expect(indexOf(await listEventsBack(sql, farm.id, { actor: 'key:none' }, page))).toEqual(['events_by_actor'])
  expect(indexOf(await listEventsBack(sql, farm.id, { type: 'none' }, page))).toEqual(['events_by_type'])
  // What it gives is taken from the rows of the plan, which has none of theirs.
  const sent: unknown[] = []
  const noting = Object.assign((first: unknown, ...rest: unknown[]) => {
    const made = (sql as unknown as (...given: unknown[]) => Promise<unknown>)(first, ...rest)
    if (Array.isArray(first) && /^\s*select\b/.test(String(first[0]))) void made.then((rows) => sent.push(rows))
    return made
  }, sql) as unknown as typeof sql
  await listEventsAfter(noting, farm.id, { id: '', txid: 1 }, 50)
  expect(indexOf(sent)).toContain('events_by_txid')
})

test('those who run the account look back at who did what, the newest first, and no one else does', async () => {
  const [owner, admin, operator] = await Promise.all(
    (['owner', 'admin', 'operator'] as const).map((role) => createTestPerson(t, farm, role)),
  )
  await record(t.db.sql, 'thing one', 'thing.added')
  await record(t.db.sql, 'thing two')
  const color = await owner?.request('POST', '/colors', { color_name: 'Red', hex_code: '#FF0000' })
  const look = async (query: string) => (await admin?.request('GET', `/audit?${query}`))?.json()
  const all = await look('limit=100')
  expect(all.data[0]).toMatchObject({ subject_id: color?.json().data.id, actor: `user:${owner?.userId}` })
  expect(all.meta.next_cursor).toBeNull()
  expect(subjects(await look('type=thing.added'))).toEqual(['thing one'])
  expect(subjects(await look('subject=thing%20two'))).toEqual(['thing two'])
  expect(subjects(await look(`actor=user:${owner?.userId}&subject=${color?.json().data.id}`))).toHaveLength(1)
  expect(subjects(await look('to=2020-01-01T00:00:00Z'))).toEqual([])
  expect(subjects(await look('from=2020-01-01T00:00:00Z&limit=100'))).toEqual(subjects(all))

  const walked: string[] = []
  let query = 'limit=2'
  for (let pages = 0; pages < 20 && query !== ''; pages += 1) {
    const page = await look(query)
    walked.push(...subjects(page))
    query = page.meta.next_cursor === null ? '' : `limit=2&cursor=${page.meta.next_cursor}`
  }
  expect(walked).toEqual(subjects(all))
  expect((await operator?.request('GET', '/audit'))?.json().error.code).toBe('FORBIDDEN')
})
