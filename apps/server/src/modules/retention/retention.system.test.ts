import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { firstIdOf, newId } from '../../kernel/ids.ts'
import { fillLists } from '../../test/app/filled-lists.ts'
import { openStream, originOf } from '../../test/app/open-stream.ts'
import { createTestApp, type TestAccount, type TestApp } from '../../test/app/test-app.ts'
import { createTestPerson } from '../../test/farm/test-person.ts'
import { removeWhatIsOver } from './retention.service.ts'

const dayMs = 24 * 3_600_000

let t: TestApp
let farm: TestAccount
let isDraining = false
beforeAll(async () => {
  t = await createTestApp({
    config: { eventsKeptDays: 100, printerTimeKeptDays: 200 },
    context: { isDraining: () => isDraining },
  })
})
beforeEach(async () => {
  isDraining = false
  farm = await t.account()
  // Of when the account was made.
  await t.db.sql`delete from events where account_id = ${farm.id}`
})
afterAll(() => t.close())

/** Remove as it would be done this many days from now. */
const removeAfter = (days: number, context = t.context) =>
  removeWhatIsOver({ ...context, clock: { now: () => new Date(Date.now() + days * dayMs) } })

/** Writes events of so many days ago, and answers the ID of the last. */
async function addEvents(daysAgo: number, count = 1, account = farm): Promise<string> {
  const time = Date.now() - daysAgo * dayMs
  const first = firstIdOf('event', time).slice(0, -6)
  const ids = Array.from({ length: count }, (_, number) => `${first}${String(number).padStart(6, '0')}`)
  const rows = ids.map((id) => ({
    account_id: account.id,
    id,
    type: 'thing.changed',
    subject_id: `${daysAgo} days ago`,
    data: t.db.sql.json({}),
    actor: 'system',
    created_at: new Date(time),
  }))
  await t.db.sql`insert into events ${t.db.sql(rows)}`
  return ids.at(-1) as string
}

async function keptEvents(account = farm): Promise<string[]> {
  const rows = await t.db.sql<{ subject_id: string }[]>`
    select distinct subject_id from events where account_id = ${account.id} order by subject_id`
  return rows.map((row) => row.subject_id)
}

test('events older than they are kept are removed in all accounts, however many, and no younger one', async () => {
  const neighbour = await t.account()
  await addEvents(101, 1_201)
  await addEvents(99)
  await addEvents(500, 3, neighbour)
  await removeWhatIsOver(t.context)
  expect(await keptEvents()).toEqual(['99 days ago'])
  expect(await keptEvents(neighbour)).not.toContain('500 days ago')
})

test('several processes that remove at the same moment remove what is over, and nothing else', async () => {
  await addEvents(101, 2_100)
  await addEvents(99)
  const printerId = await addPeriods()
  await Promise.all([1, 2, 3].map(() => removeWhatIsOver(t.context)))
  expect(await keptEvents()).toEqual(['99 days ago'])
  expect(await periodsOf(printerId)).toEqual(['printing', 'no_matching_job'])
})

test('rows that another process is just removing are passed over, not waited for', async () => {
  const held = await addEvents(101, 30)
  let took = Number.POSITIVE_INFINITY
  await t.db.begin(async (sql) => {
    await sql`select id from events where account_id = ${farm.id} and id = ${held} for update`
    const startedAt = performance.now()
    await removeWhatIsOver(t.context)
    took = performance.now() - startedAt
    const left = await t.db.sql<{ id: string }[]>`select id from events where account_id = ${farm.id}`
    expect(left.map(({ id }) => id)).toEqual([held])
  })
  // One that waits gives up after the limit of a statement for a lock.
  expect(took).toBeLessThan(4_000)
})

test('set to 0, events and the time of printers are kept for ever', async () => {
  await addEvents(30_000)
  const printerId = await addPeriods()
  await removeAfter(30_000, {
    ...t.context,
    config: { ...t.context.config, eventsKeptDays: 0, printerTimeKeptDays: 0 },
  })
  expect(await keptEvents()).toEqual(['30000 days ago'])
  expect(await periodsOf(printerId)).toHaveLength(3)
})

test('a service that stops begins no further batch', async () => {
  await addEvents(101)
  isDraining = true
  await removeWhatIsOver(t.context)
  expect(await keptEvents()).toEqual(['101 days ago'])
})

test('a feed that was read up to what is removed says so, and goes on from what is kept', async () => {
  const removed = await addEvents(101)
  const lastDay = await addEvents(100)
  const kept = await addEvents(99)
  await addEvents(98)
  // Before and after it is removed: what is not kept may go at any moment.
  for (let round = 0; round < 2; round += 1) {
    for (const after of [removed, lastDay]) {
      const answer = await farm.request('GET', `/events?after=${after}`)
      expect([answer.statusCode, answer.json().error.code]).toEqual([410, 'EVENTS_REMOVED'])
    }
    await t.settled(async () => (await farm.request('GET', `/events?after=${kept}`)).json().data.length === 1)
    await removeWhatIsOver(t.context)
  }
  const whole = (await farm.request('GET', '/events')).json().data
  expect(whole.map((event: { subject_id: string }) => event.subject_id)).toEqual(['99 days ago', '98 days ago'])
})

test('anyone who pages through the feed while old events are removed gets every kept one once, and so does the audit', async () => {
  const owner = await createTestPerson(t, farm, 'owner')
  await t.db.sql`delete from events where account_id = ${farm.id}`
  await addEvents(101, 30)
  for (let daysAgo = 99; daysAgo > 80; daysAgo -= 1) await addEvents(daysAgo)
  const kept = Array.from({ length: 19 }, (_, number) => `${99 - number} days ago`)
  type Page = { data: { subject_id: string }[]; meta: { last_id: string; next_cursor: string | null } }
  const subjects = (page: Page) => page.data.map((event) => event.subject_id)
  // What was just written counts once no transaction before it runs.
  await t.settled(async () => (await farm.request('GET', '/events?limit=100')).json().meta.count === 49)

  const back: string[] = []
  let cursor = ''
  for (let page = 0; page < 10 && back.length < kept.length; page += 1) {
    const answer: Page = (await owner.request('GET', `/audit?limit=4${cursor}`)).json()
    back.push(...subjects(answer))
    cursor = `&cursor=${answer.meta.next_cursor}`
    if (page === 1) await removeWhatIsOver(t.context)
    if (answer.meta.next_cursor === null) break
  }
  expect(back).toEqual(kept.toReversed())

  const forth: string[] = []
  let after = ''
  for (let page = 0; page < 10; page += 1) {
    const answer = await farm.request('GET', `/events?limit=4${after}`)
    expect(answer.statusCode).toBe(200)
    const read: Page = answer.json()
    forth.push(...subjects(read))
    after = `&after=${read.meta.last_id}`
    if (read.data.length === 0) break
  }
  expect(forth).toEqual(kept)
})

test('a stream that is resumed from what is removed is told to read everything again, and hears what comes', async () => {
  const removed = await addEvents(101)
  const kept = await addEvents(99)
  const resume = async (id: string) => {
    const stream = await openStream(await originOf(t), '/public/v1/events/stream', {
      authorization: `Bearer ${farm.key}`,
      'last-event-id': id,
    })
    onTestFinished(() => stream.close())
    await t.settled(() => stream.frames.length > 0)
    return stream
  }
  const isReset = ({ frames }: Awaited<ReturnType<typeof resume>>) => frames.some(({ event }) => event === 'reset')
  const before = await resume(removed)
  await t.settled(() => isReset(before))
  await removeWhatIsOver(t.context)
  const after = await resume(removed)
  await t.settled(() => isReset(after))
  const going = await resume(kept)
  await addEvents(0)
  await t.settled(() => after.ids().length > 0 && before.ids().length > 0 && going.ids().length > 0)
  expect(isReset(going)).toBe(false)
})

/** Three periods of a printer: one of a year ago, one that began then and ended yesterday, and the open one. */
async function addPeriods(): Promise<string> {
  const id = newId('printer')
  await t.db.sql`
    insert into printers (account_id, id, name, model, connection_type, connection_sealed)
    values (${farm.id}, ${id}, 'Printer', 'MK4S', 'virtual', '\\x00')`
  const time = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs)
  await t.db.sql`
    insert into printer_periods (account_id, printer_id, cause, started_at, ended_at) values
      (${farm.id}, ${id}, 'offline', ${time(400)}, ${time(365)}),
      (${farm.id}, ${id}, 'printing', ${time(365)}, ${time(1)}),
      (${farm.id}, ${id}, 'no_matching_job', ${time(1)}, null)`
  return id
}

async function periodsOf(printerId: string): Promise<string[]> {
  const rows = await t.db.sql<{ cause: string }[]>`
    select cause from printer_periods where account_id = ${farm.id} and printer_id = ${printerId} order by started_at`
  return rows.map((row) => row.cause)
}

test('where the time of a printer went is kept as long as is set, counted from the end; the open period stays', async () => {
  const id = await addPeriods()
  await removeWhatIsOver(t.context)
  expect(await periodsOf(id)).toEqual(['printing', 'no_matching_job'])
  await removeAfter(10_000)
  expect(await periodsOf(id)).toEqual(['no_matching_job'])
})

test('invitations, links, started second factors and kept answers are removed once they have long been over', async () => {
  const owner = await createTestPerson(t, farm, 'owner', { password: 'a long enough password' })
  const invited = await owner.request('POST', '/invitations', { email: 'new@example.com', role: 'viewer' })
  expect(invited.statusCode).toBe(201)
  expect((await owner.request('POST', '/totp', { password: 'a long enough password' })).statusCode).toBe(200)
  const worker = await createTestPerson(t, farm, 'viewer')
  const link = await owner.request('POST', `/members/${worker.memberId}/reset-link`, {}, { 'idempotency-key': 'one' })
  expect(link.statusCode).toBe(201)
  const countRows = async () => {
    const [row] = await t.db.sql`
      select (select count(*) from invitations where account_id = ${farm.id}) as invitations,
        (select count(*) from password_resets where user_id = ${worker.userId}) as links,
        (select count(*) from second_factors where user_id = ${owner.userId}) as factors,
        (select count(*) from idempotency_keys where account_id = ${farm.id}) as answers,
        (select count(*) from sessions where account_id = ${farm.id}) as sessions`
    return row
  }
  await removeWhatIsOver(t.context)
  expect(await countRows()).toEqual({ invitations: 1, links: 1, factors: 1, answers: 1, sessions: 2 })
  await removeAfter(2)
  expect(await countRows()).toEqual({ invitations: 1, links: 0, factors: 0, answers: 0, sessions: 2 })
  await removeAfter(96)
  expect(await countRows()).toEqual({ invitations: 1, links: 0, factors: 0, answers: 0, sessions: 0 })
  await removeAfter(98)
  expect(await countRows()).toEqual({ invitations: 0, links: 0, factors: 0, answers: 0, sessions: 0 })
})

test('a second factor that is in use is never removed', async () => {
  const owner = await createTestPerson(t, farm, 'owner')
  await t.db.sql`
    insert into second_factors (user_id, secret_sealed, confirmed_at, created_at)
    values (${owner.userId}, '\\x00', now(), now())`
  await removeAfter(10_000)
  expect(await t.db.sql`select user_id from second_factors where user_id = ${owner.userId}`).toHaveLength(1)
})

test('what a farm has made and its ledgers are never removed', async () => {
  await fillLists(t.db.sql, farm.id, 20)
  const tables = await t.db.sql<{ name: string }[]>`
    select distinct c.table_name::text as name from information_schema.columns c
    join information_schema.tables using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'account_id' and table_type = 'BASE TABLE'`
  const canGo = ['events', 'printer_periods', 'invitations', 'sessions', 'idempotency_keys', 'webhook_deliveries']
  // What the planner and the forecaster write again by themselves, as soon as they come to it.
  const derived = [
    'pegs',
    'plan_gaps',
    'order_item_states',
    'order_progress',
    'replan_requests',
    'scarce_materials',
    'component_uses',
  ]
  const forecasts = ['order_forecasts', 'order_promises', 'job_forecasts', 'gap_forecasts', 'forecast_rounds']
  const left = new Set([...canGo, ...derived, ...forecasts])
  const kept = tables.map(({ name }) => name).filter((name) => !left.has(name))
  const countAll = async () => {
    const counts: Record<string, number> = {}
    for (const name of kept) {
      const [row] = await t.db.sql`
        select count(*) as rows from ${t.db.sql(name)} where account_id = ${farm.id}`
      counts[name] = row?.rows
    }
    return counts
  }
  const before = await countAll()
  expect(before).toMatchObject({ jobs: 20, stock_movements: 20, orders: 20 })
  await removeAfter(30_000)
  expect(await countAll()).toEqual(before)
})
