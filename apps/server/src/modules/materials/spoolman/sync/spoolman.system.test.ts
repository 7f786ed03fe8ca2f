import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Memory } from '../../../../kernel/memory.ts'
import { accountForEachTest } from '../../../../test/app/app-hooks.ts'
import { createTestPerson, type TestPerson } from '../../../../test/farm/test-person.ts'
import { openTestSpoolman } from '../../../../test/services/test-spoolman.ts'
import { startSpoolman } from './follow-spoolman.ts'
import { holdLease, type Leased, takeLeases } from './sync.queries.ts'

let aheadMs = 0
let steadyAheadMs = 0
const clock = { now: () => new Date(Date.now() + aheadMs) }
const { t, account } = accountForEachTest({ config: { outboundNetworks: '127.0.0.1' }, context: { clock } })

type TestSpoolman = Awaited<ReturnType<typeof openTestSpoolman>>

let owner: TestPerson
let spoolman: TestSpoolman
beforeEach(async () => {
  aheadMs = 0
  owner = await createTestPerson(t, account, 'owner')
  spoolman = await openTestSpoolman()
  onTestFinished(() => spoolman.close())
})

/** Time goes by, and all clocks show it. */
function passes(ms: number): void {
  aheadMs += ms
  steadyAheadMs += ms
}

/** A process of its own on the same database, until the test ends or stops it. */
function start() {
  const running = startSpoolman({ ...t.context, memory: new Memory() }, () => performance.now() + steadyAheadMs)
  onTestFinished(() => running.stop())
  return running
}

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, status = 200) {
  const answer = await owner.request(method, path, body)
  expect(answer.statusCode, answer.body).toBe(status)
  return answer.json().data
}

const connect = (body: object = {}) => call('POST', '/spoolman', { url: spoolman.url, ...body }, 201)
const connection = async () => (await call('GET', '/spoolman')).connection

/** Reads Spoolman to the end, once more. */
async function read(): Promise<void> {
  const { last_read_at: before } = await connection()
  await call('POST', '/spoolman/read', {})
  await t.settled(async () => (await connection()).last_read_at !== before)
}

interface Filament {
  id: string
  remaining_grams: number
}
async function listFilament(): Promise<Filament[]> {
  return (await account.request('GET', '/materials/filament?limit=100')).json().data
}
const only = async () => (await listFilament())[0] as Filament
const remainingOf = async (id: string) =>
  (await account.request('GET', `/materials/filament/${id}`)).json().data.remaining_grams

async function use(id: string, quantity: number): Promise<void> {
  const answer = await account.request('POST', `/materials/filament/${id}/consume`, { quantity })
  expect(answer.statusCode, answer.body).toBe(200)
}

function addSpool(fields: Parameters<TestSpoolman['addSpool']>[1] = {}) {
  const vendor = spoolman.addVendor('Prusament')
  const filament = spoolman.addFilament({
    ...{ name: 'Galaxy Black', vendor, material: 'PETG', color_hex: '3D3E3D', weight: 1000 },
  })
  return spoolman.addSpool(filament, fields)
}

/** One spool in both, of which nothing is to be told. */
async function startWithSpool(body: object = {}) {
  const spool = addSpool()
  const running = start()
  await connect(body)
  await t.settled(async () => (await connection()).last_read_at !== null)
  return { spool, running, material: await only() }
}

describe('spools come in', () => {
  test('a reading that is asked for while one goes on follows it', async () => {
    addSpool()
    await connect()
    const lists = () => spoolman.came.filter(({ path }) => path === '/api/v1/spool').length
    spoolman.interfere = async ({ path }) => {
      if (path !== '/api/v1/spool') return undefined
      spoolman.interfere = () => undefined
      await call('POST', '/spoolman/read', {})
      return undefined
    }
    start()
    // Without it the next one would come after a minute.
    await t.settled(() => lists() >= 2)
    expect((await connection()).problem).toBeNull()
  })

  test('with filament and vendor, page after page, each once; what changes there changes here', async () => {
    const spool = addSpool({ used_weight: 120.5, location: 'Shelf A' })
    for (let n = 0; n < 205; n += 1) spoolman.addSpool(spool.filament)
    spoolman.addSpool(spoolman.addFilament({ name: 'Sample' }))
    spoolman.addSpool(spool.filament, { archived: true })
    start()
    await connect()
    await t.settled(async () => (await connection()).last_read_at !== null)
    expect(await connection()).toMatchObject({ spools: 206, unweighed_spools: 1, gone_spools: 0, status: 'active' })
    const { data } = (await account.request('GET', '/materials/filament?color=Galaxy Black&limit=100')).json()
    const first = [...data, ...(await listFilament())].find(({ location }) => location === 'Shelf A')
    const [row] = await t.db.sql<{ material_id: string }[]>`
      select material_id from spoolman_spools where account_id = ${account.id} and spool_id = ${spool.id}`
    const known = (await account.request('GET', `/materials/filament/${row?.material_id}`)).json().data
    expect(known).toMatchObject({
      ...{ type: 'PETG', color: 'Galaxy Black', hex_code: '#3D3E3D', brand: 'Prusament', location: 'Shelf A' },
      ...{ remaining_grams: 879.5, diameter: 1.75, spool_weight_grams: 1000 },
    })
    expect(first === undefined || first.id === known.id).toBe(true)
    spool.location = 'Shelf B'
    spoolman.useElsewhere(spool.id, 79.5)
    spoolman.spools.delete(2)
    await read()
    expect(await connection()).toMatchObject({ spools: 205, gone_spools: 1 })
    const changed = (await account.request('GET', `/materials/filament/${row?.material_id}`)).json().data
    expect(changed).toMatchObject({ location: 'Shelf B', remaining_grams: 800 })
    const movements = (await account.request('GET', `/materials/filament/${row?.material_id}/movements`)).json().data
    expect(movements.map(({ reason }: { reason: string }) => reason)).toEqual(['correction', 'added'])
    await read()
    const again = (await account.request('GET', `/materials/filament/${row?.material_id}/movements`)).json().data
    expect(again).toHaveLength(2)
  })

  test('and are known again when the same Spoolman is connected once more', async () => {
    const { material } = await startWithSpool()
    await call('DELETE', '/spoolman')
    expect((await call('GET', '/spoolman')).connection).toBeNull()
    await connect()
    await t.settled(async () => (await connection()).last_read_at !== null)
    expect((await listFilament()).map(({ id }) => id)).toEqual([material.id])
  })
})

describe('usage goes out', () => {
  test('once, soon after it was booked', async () => {
    const { spool, material } = await startWithSpool()
    await use(material.id, 12.345)
    await use(material.id, 7)
    await t.settled(async () => (await connection()).waiting_usages === 0)
    expect(spool.used_weight).toBeCloseTo(19.345, 6)
    await read()
    expect(await remainingOf(material.id)).toBe(980.655)
  })

  test('nothing is lost or doubled when Spoolman is away, and the page says since when', async () => {
    const { spool, material } = await startWithSpool()
    spoolman.interfere = () => 'lose'
    await use(material.id, 10)
    await t.settled(async () => (await connection()).status === 'failing')
    const { failing_since, problem, waiting_usages } = await connection()
    expect([typeof failing_since, typeof problem, waiting_usages]).toEqual(['string', 'string', 1])
    expect(await remainingOf(material.id)).toBe(990)
    await use(material.id, 5)
    spoolman.interfere = () => undefined
    await read()
    await t.settled(async () => (await connection()).waiting_usages === 0)
    expect(spool.used_weight).toBe(15)
    expect(await connection()).toMatchObject({ status: 'active', failing_since: null, problem: null })
    await read()
    expect(await remainingOf(material.id)).toBe(985)
  })

  test.each([
    ['came in', 'drop', 1],
    ['did not come in', 'lose', 2],
  ] as const)('an answer that was lost after it %s: the spool says which, a minute later', async (_, what, asked) => {
    const { spool, material } = await startWithSpool()
    spoolman.interfere = ({ method }) => (method === 'PUT' ? what : undefined)
    await use(material.id, 10)
    await t.settled(async () => (await connection()).status === 'failing')
    spoolman.interfere = () => undefined
    // The request may still be on its way: nothing is concluded yet, and what remains is left alone.
    await read()
    expect(await remainingOf(material.id)).toBe(990)
    expect(spoolman.came.filter(({ method }) => method === 'PUT')).toHaveLength(1)
    passes(61_000)
    await t.settled(async () => (await connection()).waiting_usages === 0)
    expect(spoolman.came.filter(({ method }) => method === 'PUT')).toHaveLength(asked)
    expect(spool.used_weight).toBe(10)
    await read()
    expect(await remainingOf(material.id)).toBe(990)
  })

  test('where something else changed the spool meanwhile, a person decides', async () => {
    const { spool, material } = await startWithSpool()
    spoolman.interfere = ({ method }) => (method === 'PUT' ? 'lose' : undefined)
    await use(material.id, 10)
    await t.settled(async () => (await connection()).status === 'failing')
    spoolman.useElsewhere(spool.id, 30)
    spoolman.interfere = () => undefined
    passes(61_000)
    await read()
    const [usage, ...others] = await call('GET', '/spoolman/usages')
    expect(others).toEqual([])
    expect(usage).toMatchObject({ spool_id: spool.id, material_id: material.id, grams: 10, state: 'unclear' })
    await read()
    expect([spool.used_weight, await remainingOf(material.id)]).toEqual([30, 990])
    await call('POST', `/spoolman/usages/${usage.id}/settle`, { is_told_again: true })
    await t.settled(async () => spool.used_weight === 40)
    await t.settled(async () => (await connection()).waiting_usages === 0)
    await read()
    expect(await remainingOf(material.id)).toBe(960)
    await call('POST', `/spoolman/usages/${usage.id}/settle`, { is_told_again: true }, 404)
  })

  test('of two processes that follow one Spoolman one tells', async () => {
    const { spool, material } = await startWithSpool()
    start()
    for (let n = 0; n < 8; n += 1) await use(material.id, 1.5)
    await t.settled(async () => (await connection()).waiting_usages === 0)
    expect(spool.used_weight).toBe(12)
  })

  test('what one process has leased no other takes until that is over', async () => {
    await connect()
    const [connected] = await t.db.sql<Leased[]>`
      select account_id, id from spoolman_connections where account_id = ${account.id}`
    if (!connected) throw new Error('There is no connection.')
    // Tomorrow, so that no other process looks at it.
    const now = new Date(Date.now() + 24 * 3_600_000)
    const until = new Date(now.getTime() + 60_000)
    await t.db.sql`
      update spoolman_connections set due_at = ${now}, retry_at = null, lease_id = null, leased_until = null
      where account_id = ${account.id}`
    const take = async (lease: { id: string; now: Date; until: Date }) =>
      (await takeLeases(t.db.sql, lease, 100)).filter(({ account_id }) => account_id === account.id).length
    expect(await take({ id: 'one', now, until })).toBe(1)
    expect(await take({ id: 'other', now, until })).toBe(0)
    expect(await take({ id: 'other', now: until, until: new Date(until.getTime() + 60_000) })).toBe(1)
    expect(await holdLease(t.db.sql, { id: 'one', now, until }, connected)).toBeUndefined()
  })

  test('a spool that Spoolman has no more is said to a person, and holds up no other', async () => {
    const { spool, material } = await startWithSpool()
    const other = spoolman.addSpool(spool.filament)
    await read()
    const second = (await listFilament()).find(({ id }) => id !== material.id) as Filament
    spoolman.spools.delete(spool.id)
    await use(material.id, 1)
    await use(second.id, 2)
    await t.settled(async () => other.used_weight === 2)
    expect(await call('GET', '/spoolman/usages')).toMatchObject([
      { state: 'refused', problem: expect.stringMatching(/^404/) },
    ])
  })

  test('not where others tell it, whose figures are then taken over', async () => {
    const { spool, material } = await startWithSpool({ sends_usage: false })
    await use(material.id, 10)
    spoolman.useElsewhere(spool.id, 10.5)
    await read()
    expect(spoolman.uses).toEqual([])
    expect(await remainingOf(material.id)).toBe(989.5)
  })
})

describe('a clock that is wrong', () => {
  const hourMs = 3_600_000
  const puts = () => spoolman.came.filter(({ method }) => method === 'PUT').length

  test('ours, set forward by hours after a lost answer: what is still on its way is not told again', async () => {
    const { spool, material } = await startWithSpool()
    spoolman.interfere = ({ method }) => (method === 'PUT' ? 'lose' : undefined)
    await use(material.id, 10)
    await t.settled(async () => (await connection()).status === 'failing')
    spoolman.interfere = () => undefined
    aheadMs += 3 * hourMs
    await read()
    await read()
    expect(puts()).toBe(1)
    // It arrives after all.
    spoolman.useElsewhere(spool.id, 10)
    passes(61_000)
    await read()
    await t.settled(async () => (await connection()).waiting_usages === 0)
    expect([puts(), spool.used_weight]).toEqual([1, 10])
    expect(await remainingOf(material.id)).toBe(990)
  })

  test('ours, set back by hours: nothing waits until that time comes again, and nothing is booked twice', async () => {
    const { spool, material } = await startWithSpool()
    aheadMs = 5 * hourMs
    await read()
    spoolman.interfere = ({ method }) => (method === 'PUT' ? 'drop' : undefined)
    await use(material.id, 10)
    await t.settled(async () => (await connection()).status === 'failing')
    spoolman.interfere = () => undefined
    const before = (await connection()).last_read_at
    aheadMs = 0
    await t.settled(async () => (await connection()).last_read_at !== before)
    expect(await connection()).toMatchObject({ waiting_usages: 1 })
    passes(61_000)
    await t.settled(async () => (await connection()).waiting_usages === 0)
    await use(material.id, 5)
    await t.settled(async () => (await connection()).waiting_usages === 0)
    expect([puts(), spool.used_weight]).toEqual([2, 15])
    passes(61_000)
    await t.settled(async () => (await remainingOf(material.id)) === 985)
  })

  test('ours, set back while nothing runs: a process that died held its lease by the wrong clock', async () => {
    const { spool, material, running } = await startWithSpool()
    aheadMs = 20 * hourMs
    await read()
    await running.stop()
    await t.db.sql`
      update spoolman_connections set lease_id = 'sml_dead', leased_until = ${new Date(clock.now().getTime() + 600_000)}
      where account_id = ${account.id}`
    await use(material.id, 10)
    aheadMs = 0
    start()
    const leasedUntil = async () => {
      const [row] = await t.db.sql<{ leased_until: Date }[]>`
        select leased_until from spoolman_connections where account_id = ${account.id}`
      return row?.leased_until.getTime() ?? 0
    }
    await t.settled(async () => (await leasedUntil()) < Date.now() + hourMs)
    passes(601_000)
    await t.settled(async () => (await connection()).waiting_usages === 0)
    expect([puts(), spool.used_weight]).toEqual([1, 10])
  })

  test.each([-2, 2])('that of Spoolman, by %d days: spools and usage are the same', async (days) => {
    spoolman.aheadMs = days * 24 * hourMs
    const { spool, material } = await startWithSpool()
    await use(material.id, 10)
    await t.settled(async () => (await connection()).waiting_usages === 0)
    spoolman.aheadMs = 0
    await use(material.id, 5)
    await t.settled(async () => (await connection()).waiting_usages === 0)
    spoolman.useElsewhere(spool.id, 1)
    await read()
    expect([puts(), spool.used_weight, await remainingOf(material.id)]).toEqual([2, 16, 984])
  })
})

test('where Printyard leads, Spoolman is told what remains, and nothing of its own is taken over', async () => {
  const { spool, material } = await startWithSpool({ leader: 'printyard' })
  await use(material.id, 10)
  spoolman.useElsewhere(spool.id, 200)
  await read()
  expect([spool.used_weight, await remainingOf(material.id)]).toEqual([10, 990])
  await account.request('PATCH', `/materials/filament/${material.id}`, { remaining_grams: 1200 })
  await read()
  expect([spool.initial_weight, spool.used_weight]).toEqual([1200, 0])
  spoolman.came.length = 0
  await read()
  expect(spoolman.came.map(({ method }) => method)).toEqual(['GET'])
  expect(spoolman.uses).toEqual([])
})

test('a connection is tested, paused, resumed and refused as told', async () => {
  expect(await call('POST', '/spoolman/test', { url: `${spoolman.url}/api/v1/` })).toEqual({
    ...{ ok: true, version: '0.26.1', problem: null },
  })
  spoolman.interfere = () => ({ status: 200, body: '<h1>Welcome</h1>' })
  expect(await call('POST', '/spoolman/test', { url: spoolman.url })).toMatchObject({ ok: false, version: null })
  spoolman.interfere = () => undefined
  await call('POST', '/spoolman', { url: 'http://169.254.169.254' }, 400)
  await call('POST', '/spoolman', { url: 'http://192.168.1.20:7912' }, 400)
  await connect()
  expect((await owner.request('POST', '/spoolman', { url: spoolman.url })).json().error.code).toBe('ALREADY_EXISTS')
  await call('PATCH', '/spoolman', { is_active: false })
  start()
  await call('POST', '/spoolman/read', {}, 400)
  expect(spoolman.came.filter(({ path }) => path.endsWith('/spool'))).toEqual([])
  await call('PATCH', '/spoolman', { is_active: true })
  await t.settled(async () => (await connection()).last_read_at !== null)
  const operator = await createTestPerson(t, account, 'operator')
  expect((await operator.request('GET', '/spoolman')).statusCode).toBe(403)
  const stranger = await createTestPerson(t, await t.account(), 'owner')
  expect((await stranger.request('GET', '/spoolman')).json().data).toEqual({ connection: null })
  expect((await stranger.request('PATCH', '/spoolman', { is_active: false })).statusCode).toBe(404)
})
