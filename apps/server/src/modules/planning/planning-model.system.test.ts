import type { AttemptReport } from '@printyard/protocol/attempt'
import { beforeEach, describe, expect, test } from 'vitest'
import { isConnectionError } from '../../db/database-errors.ts'
import { AppError } from '../../kernel/errors.ts'
import type { OrderId } from '../../kernel/ids.ts'
import { farmForEachTest } from '../../test/app/app-hooks.ts'
import type { TestAccount } from '../../test/app/test-app.ts'
import { findFaults, noFaults } from '../../test/farm/farm-books.ts'
import { addMaterial, addSku, itemOf, setStock } from '../../test/farm/test-catalogue.ts'
import { insertFile } from '../../test/farm/test-fleet.ts'
import { workIn } from '../events/work.ts'
import { followOrder } from '../orders/from-shop/follow-order.ts'
import { lockOrdersOfShop } from '../orders/from-shop/shop-lines.queries.ts'
import type { ShopOrder } from '../orders/from-shop/shop-order.ts'
import { holdListingMaps } from '../orders/listings/listing-maps.queries.ts'
import { planAccount } from './planner.ts'

/** Many things happen at once to orders, stock, bills, jobs and plates, while connections break; then the farm has to add up. */
const seeds = [11, 23]
const steps = 60
const atOnce = 4

const { t, farm } = farmForEachTest()
let account: TestAccount
/** What became of plates, by how their prints ended and whether units of them were bad. */
const plates: Record<'good' | 'rejected' | 'failed', number> = { good: 0, rejected: 0, failed: 0 }
let skus: { id: string; sku: string }[]
let recipes: { id: string }[]
let box: { id: string }
let screws: { id: string }
/** Parts A to C are printed, A and C from one plate, too; K is put together of A and B, L of K and C and a screw. */
beforeEach(async () => {
  account = farm.account
  const [a, b, c, k, l] = await Promise.all(['A', 'B', 'C', 'K', 'L'].map((sku) => addSku(account, { sku })))
  skus = [a, b, c, k, l]
  screws = await addMaterial(account, 'components', { name: 'Screw', remaining_units: 30 })
  box = await addMaterial(account, 'packaging', { name: 'Box', remaining_units: 20 })
  recipes = []
  for (const sku of [a, b, c]) {
    const print_file_id = await insertFile(t, account.id, { printer_model: 'MK4S', print_time_seconds: 600 })
    recipes.push(await done('POST', '/recipes', { product_sku_id: sku.id, print_file_id, units_per_plate: 3 }))
  }
  const mixed = await insertFile(t, account.id, { printer_model: 'MK4S', print_time_seconds: 900 })
  await done('POST', '/recipes', {
    product_sku_id: a.id,
    print_file_id: mixed,
    units_per_plate: 2,
    also_makes: [{ product_sku_id: c.id, units: 1 }],
    rank: 5,
  })
  await done('PUT', `/skus/${k.id}/bom`, {
    children: [
      { child_sku_id: a.id, quantity_required: 1 },
      { child_sku_id: b.id, quantity_required: 2 },
    ],
  })
  await done('PUT', `/skus/${l.id}/bom`, {
    children: [
      { child_sku_id: k.id, quantity_required: 1 },
      { child_sku_id: c.id, quantity_required: 1 },
    ],
    inventory: [
      { inventory_item_id: screws.id, quantity_required: 2 },
      { inventory_item_id: box.id, quantity_required: 1 },
    ],
  })
  for (const [place, sku] of skus.entries()) {
    await setStock(account, sku, 4)
    await done('PATCH', `/inventory/${(await itemOf(account, sku)).id}`, { bin: `B-${place}` })
  }
})

const ask = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  account.request(method, path, body)
async function done(method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: object) {
  const answer = await ask(method, path, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}

/** Numbers from 0 to below 1 that a seed decides (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Known {
  orders: string[]
  /** As their shop has them now. */
  ofShop: { id: OrderId; told: ShopOrder }[]
}

/** Something that may be refused, and must leave nothing half done. Answers its status. */
type Step = (random: () => number, known: Known) => Promise<number>

const below = (random: () => number, count: number) => Math.floor(random() * count)
const pick = <T>(random: () => number, list: readonly T[]): T | undefined => list[below(random, list.length)]

async function ofOrder(
  random: () => number,
  { orders }: Known,
  act: (id: string) => ReturnType<typeof ask>,
): Promise<number> {
  const id = pick(random, orders)
  return id === undefined ? 0 : (await act(id)).statusCode
}

/** A line of an order, by its path. */
function ofLine(random: () => number, known: Known, act: (line: string) => ReturnType<typeof ask>): Promise<number> {
  return ofOrder(random, known, async (id) => {
    const order = await ask('GET', `/orders/${id}`)
    const item = order.statusCode === 200 ? pick(random, order.json().data.items as { id: string }[]) : undefined
    return item === undefined ? order : act(`/orders/${id}/items/${item.id}`)
  })
}

const retryOf = async (jobId: string) => (await ask('POST', `/jobs/${jobId}/retry`)).statusCode

async function idOf(random: () => number, path: string): Promise<string | undefined> {
  const answer = await ask('GET', path)
  return answer.statusCode === 200 ? pick(random, answer.json().data as { id: string }[])?.id : undefined
}

/** Says it to the service until it is heard: a hub whose service lost its database connects again. */
async function reportUntilHeard(report: Parameters<typeof farm.hub.report>[0]): Promise<void> {
  const heard = async () => {
    const id = farm.hub.send('attempt', { report: { ...unsaid, happened_at: new Date().toISOString(), ...report } })
    return farm.hub
      .waitFor('ack', (ack) => ack.ids.includes(id))
      .then(
        () => true,
        () => false,
      )
  }
  for (let tries = 0; tries < 5; tries += 1) {
    if (await heard()) return
    await farm.hub.close()
    await farm.reconnect()
  }
  throw new Error(`${report.phase} was not heard`)
}

const unsaid: Omit<AttemptReport, 'attempt_id' | 'printer_id' | 'fence' | 'phase' | 'happened_at'> = {
  outcome: null,
  evidence: { kind: 'telemetry', run_id: null, detail: null },
  reason_code: null,
}

/** A queued job is started on the printer, ends well or not, and a person takes the plate off and says what of it is bad. */
async function printPlate(random: () => number): Promise<number> {
  const id = await idOf(random, '/jobs?status=queued')
  if (id === undefined) return 0
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  const assigned = await ask('POST', `/jobs/${id}/assign`, { printer_id: farm.printerId })
  if (assigned.statusCode !== 200) return assigned.statusCode
  const sent = farm.hub.commands().length
  const started = await ask('POST', `/jobs/${id}/start`)
  const command = farm.hub.commands()[sent]
  if (started.statusCode !== 200 || command?.kind !== 'print') return started.statusCode
  const attempt = {
    attempt_id: String(command.args.attempt_id) as AttemptReport['attempt_id'],
    printer_id: farm.printerId,
    fence: command.fence,
  }
  await reportUntilHeard({ ...attempt, phase: 'confirmed' })
  const isGood = random() < 0.7
  await reportUntilHeard({ ...attempt, phase: 'finished', outcome: isGood ? 'done' : 'failed' })
  const bad = isGood && random() < 0.6 ? 1 : 0
  const cleared = await ask('POST', `/printers/${farm.printerId}/control`, {
    action: 'clear_bed',
    ...(bad > 0 && { quantity_rejected: bad }),
  })
  if (cleared.statusCode === 200) plates[isGood ? (bad > 0 ? 'rejected' : 'good') : 'failed'] += 1
  return cleared.statusCode
}

/** Tells an order as its shop has it; undefined where it is refused, or a connection breaks. */
async function tellOrder(told: ShopOrder): Promise<OrderId | undefined> {
  return t.db
    .begin(async (sql) => {
      const work = workIn(sql, { accountId: account.id, actor: 'service', now: t.context.clock.now() })
      await holdListingMaps(sql, account.id)
      const shop = { platform: 'etsy' as const, shop: '' }
      const [known] = await lockOrdersOfShop(work, shop, { externalIds: [told.external_id], numbers: [] })
      const followed = await followOrder(work, shop, told, known?.id)
      return 'orderId' in followed ? followed.orderId : undefined
    })
    .catch((error: unknown) => {
      if (isConnectionError(error) || error instanceof AppError) return undefined
      throw error
    })
}

/** A shop has a new order, or lines of one with more or less of them, or has taken it back. */
async function editInShop(random: () => number, known: Known): Promise<number> {
  const before = random() < 0.6 ? pick(random, known.ofShop) : undefined
  const external_id = before?.told.external_id ?? `S-${random()}`
  const lines =
    before?.told.lines ??
    Array.from({ length: 2 }, (_, at) => ({
      external_id: `${external_id}-${at}`,
      sku: pick(random, skus)?.sku ?? '',
      product_name: 'Of the shop',
      quantity: 0,
      unit_price: 100,
      personalisation: random() < 0.2 ? [{ name: 'Name', value: 'Kim' }] : [],
    }))
  const told: ShopOrder = {
    external_id,
    state:
      before !== undefined && random() < 0.1 ? (pick(random, ['cancelled', 'refunded', 'done']) ?? 'open') : 'open',
    fields: { customer_name: 'B' },
    lines: lines.map((line) => ({ ...line, quantity: below(random, 6) })),
  }
  const id = await tellOrder(told)
  if (id === undefined) return 0
  if (!known.orders.includes(id)) known.orders.push(id)
  if (before !== undefined) before.told = told
  else known.ofShop.push({ id, told })
  return 200
}

const happenings: readonly Step[] = [
  editInShop,
  editInShop,
  // Put together for the shelf, or not at all.
  async (random) =>
    (await ask('POST', `/skus/${pick(random, skus.slice(3))?.id}/assemble`, { quantity: 1 })).statusCode,
  async (random) => {
    const id = await idOf(random, '/assembly')
    if (id === undefined) return 0
    const answer =
      random() < 0.5 ? ask('DELETE', `/assembly/${id}`) : ask('PATCH', `/assembly/${id}`, { status: 'cancelled' })
    return (await answer).statusCode
  },
  // The shelf is counted, and much of it is not there.
  async (random) => {
    const answer = await ask('GET', `/inventory?sku=${pick(random, skus)?.sku}`)
    if (answer.statusCode !== 200) return answer.statusCode
    const [item] = answer.json().data
    const adjustment = below(random, 3) - item.ready_stock
    if (adjustment === 0) return 0
    return (await ask('POST', `/inventory/${item.id}/adjust`, { adjustment, reason: 'inventory_count' })).statusCode
  },
  (random, known) =>
    random() < 0.3
      ? ofOrder(random, known, (id) => ask('PATCH', `/orders/${id}`, { status: 'shipped', force: true }))
      : Promise.resolve(0),
  (random, known) =>
    random() < 0.3
      ? ofOrder(random, known, (id) => ask('PATCH', `/orders/${id}`, { status: 'refunded' }))
      : Promise.resolve(0),
  async (random) => (await ask('PATCH', `/skus/${pick(random, skus)?.id}`, { is_active: random() < 0.8 })).statusCode,
  async (random) =>
    (await ask('PATCH', `/recipes/${pick(random, recipes)?.id}`, { units_per_plate: 1 + below(random, 4) })).statusCode,
  (random, known) =>
    ofLine(random, known, (line) =>
      ask('POST', `${line}/map`, { product_sku_id: pick(random, skus)?.id, pack_size: 1 + below(random, 2) }),
    ),
  // A bin at a time, and then the parcel with a part of what was picked.
  (random, known) =>
    ofOrder(random, known, async (id) => {
      const listed = await ask('GET', `/orders/${id}/picks`)
      if (listed.statusCode !== 200) return listed
      const lines: { bin: string; item_id: string; picked: number }[] = listed.json().data.lines
      const line = pick(random, lines)
      if (line === undefined) return listed
      if (line.picked === 0) return ask('POST', `/orders/${id}/picks`, line.bin === '' ? {} : { bin: line.bin })
      return ask('POST', `/orders/${id}/fulfill`, { items: [{ item_id: line.item_id, quantity: 1 }] })
    }),
  async (random, known) => {
    const id = await idOf(random, '/jobs?status=failed')
    return id === undefined ? ofOrder(random, known, (each) => ask('GET', `/orders/${each}`)) : retryOf(id)
  },
  async function makeOrder(random, { orders }) {
    const items = Array.from({ length: 1 + below(random, 3) }, () => ({
      product_sku_id: pick(random, skus)?.id,
      quantity: 1 + below(random, 4),
      unit_price: 100,
      ...(random() < 0.2 && { personalisation: [{ name: 'Name', value: 'Kim' }] }),
    }))
    const dated = random() < 0.5 && { ship_by: `2031-0${1 + below(random, 9)}-01T00:00:00Z` }
    const answer = await ask('POST', '/orders', { customer_name: 'A', items, ...dated })
    if (answer.statusCode === 201) orders.push(answer.json().data.id)
    return answer.statusCode
  },
  (random, known) => ofOrder(random, known, (id) => ask('POST', `/orders/${id}/produce`)),
  (random, known) => ofOrder(random, known, (id) => ask('POST', `/orders/${id}/fulfill`)),
  (random, known) => ofOrder(random, known, (id) => ask('PATCH', `/orders/${id}`, { status: 'fulfilled' })),
  (random, known) => ofOrder(random, known, (id) => ask('PATCH', `/orders/${id}`, { priority: 'urgent' })),
  (random, known) =>
    random() < 0.4 ? ofOrder(random, known, (id) => ask('DELETE', `/orders/${id}`)) : Promise.resolve(0),
  (random, known) =>
    ofOrder(random, known, async (id) => {
      const order = await ask('GET', `/orders/${id}`)
      const item = order.statusCode === 200 ? pick(random, order.json().data.items as { id: string }[]) : undefined
      const disposition = pick(random, ['restock', 'scrap', 'remake'])
      return ask('POST', `/orders/${id}/returns`, { items: [{ item_id: item?.id, quantity: 1, disposition }] })
    }),
  async () => (await ask('POST', '/production/produce')).statusCode,
  async (random) => {
    const sku = pick(random, skus)
    const answer = sku && (await ask('GET', `/inventory?sku=${sku.sku}`))
    if (answer?.statusCode !== 200) return answer?.statusCode ?? 0
    const change = below(random, 2) === 0 ? { adjustment: 2 } : { adjustment: -1, reason: 'damaged' }
    return (await ask('POST', `/inventory/${answer.json().data[0].id}/adjust`, change)).statusCode
  },
  async (random) => {
    const id = await idOf(random, '/assembly?status=pending')
    const count = random() < 0.3 ? { quantity_completed: 0, quantity_rejected: 1 } : { quantity_completed: 1 }
    return id === undefined ? 0 : (await ask('POST', `/assembly/${id}/complete`, count)).statusCode
  },
  async (random) => {
    const id = await idOf(random, '/jobs?status=queued')
    if (id === undefined) return 0
    if (random() < 0.3) return (await ask('POST', `/jobs/${id}/cancel`)).statusCode
    return (await ask('POST', `/jobs/${id}/complete`)).statusCode
  },
  async (random) => {
    const sku = pick(random, skus.slice(0, 3))
    const level = random() < 0.5 ? { restock_point: 2, restock_to: 5 } : { restock_point: null, restock_to: null }
    return (await ask('PATCH', `/skus/${sku?.id}`, level)).statusCode
  },
  (random, known) => ofOrder(random, known, (id) => ask('POST', `/orders/${id}/picks`, {})),
  (random, known) => ofLine(random, known, (line) => ask('POST', `${line}/hold`, { units: below(random, 3) })),
  (random, known) => ofLine(random, known, (line) => ask('POST', `${line}/fulfill`)),
  // Another bill of K, one that would make a circle, and the first again.
  async (random) => {
    const [a, b, , k, l] = skus
    const children = pick(random, [
      [{ child_sku_id: a?.id, quantity_required: 2 }],
      [{ child_sku_id: l?.id, quantity_required: 1 }],
      [
        { child_sku_id: a?.id, quantity_required: 1 },
        { child_sku_id: b?.id, quantity_required: 2 },
      ],
    ])
    return (await ask('PUT', `/skus/${k?.id}/bom`, { children })).statusCode
  },
  async (random) =>
    (await ask('PATCH', `/recipes/${pick(random, recipes)?.id}`, { is_active: random() < 0.7 })).statusCode,
  async () => (await ask('POST', `/materials/packaging/${box.id}/restock`, { quantity: 2 })).statusCode,
]

/** Ends one connection of the service in the middle of whatever it does. */
async function breakConnection(random: () => number): Promise<void> {
  // In one statement: between two, the connection of the first may be taken up by something else.
  await t.db.sql`
    select pg_terminate_backend(pid) from (
      select pid from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
        and state <> 'idle'
      order by md5(pid || ${String(random())}) limit 1
    ) victim`
}

async function live(seed: number, known: Known): Promise<Map<number, number>> {
  const random = randomOf(seed)
  const answers = new Map<number, number>()
  for (let step = 0; step < steps; step += 1) {
    const acts = Array.from({ length: atOnce }, () => pick(random, happenings))
    const [statuses] = await Promise.all([
      Promise.all([...acts.map((act) => act?.(random, known)), ...(random() < 0.5 ? [printPlate(random)] : [])]),
      ...(random() < 0.3 ? [breakConnection(random)] : []),
    ])
    for (const status of statuses) if (status !== undefined) answers.set(status, (answers.get(status) ?? 0) + 1)
  }
  return answers
}

/** What the plan has written, row by row, with the transaction that did; and how much was told. */
async function readStored() {
  const { sql } = t.db
  return {
    pegs: await sql`
      select demand_id, product_sku_id, supply_kind, supply_id, units, xmin::text as written_by from pegs
      where account_id = ${account.id} order by demand_id, product_sku_id, supply_kind, supply_id`,
    states: await sql`
      select order_item_id, position, state, units, blockers, xmin::text as written_by from order_item_states
      where account_id = ${account.id} order by order_item_id, position`,
    // What hubs and printers tell of themselves comes by itself, and so do tasks that follow them.
    events: await sql`
      select type, count(*)::int4 as count from events
      where account_id = ${account.id} and type !~ '^(hub|printer|worklist_task)\\.' group by type order by type`,
  }
}

/** Bit by bit as things happened, or all from the beginning: the plan is the same, and what is the same is not written. */
async function expectWholePlan() {
  const stored = await readStored()
  expect(stored.states.length).toBeGreaterThan(0)
  await t.db.sql`insert into replan_requests (account_id, product_sku_id)
    select account_id, id from skus where account_id = ${account.id}`
  await planAccount(t.context, account.id)
  expect(await readStored()).toEqual(stored)
}

/** Lines of which the plan has units in no place, or in two. */
async function findMisplaced({ orders }: Known): Promise<string[]> {
  const wrong: string[] = []
  for (const id of orders) {
    const { lines }: { lines: { units: number; groups: { state: string; units: number }[] }[] } = await done(
      'GET',
      `/orders/${id}/plan`,
    )
    for (const { units, groups } of lines) {
      const placed = groups.reduce((sum, group) => sum + group.units, 0)
      if (placed !== units) wrong.push(`${id}: ${placed} of ${units} in ${JSON.stringify(groups)}`)
    }
  }
  return wrong
}

test.each(seeds)(
  'whatever happens at once, every unit is counted once (seed %i)',
  async (seed) => {
    const known: Known = { orders: [], ofShop: [] }
    const answers = await live(seed, known)
    expect(answers.get(200) ?? 0).toBeGreaterThan(steps)
    expect([...answers.keys()].filter((status) => status === 500)).toEqual([])
    // Whatever became of the others, one order is open.
    const items = [{ product_sku_id: skus[0]?.id, quantity: 3, unit_price: 100 }]
    known.orders.push((await done('POST', '/orders', { customer_name: 'Last', items })).id)
    await planAccount(t.context, account.id)
    expect(await findFaults(t.db.sql, account.id)).toEqual(noFaults)
    expect(await findMisplaced(known)).toEqual([])

    await expectWholePlan()

    // What is asked for again is there.
    await done('POST', '/production/produce')
    expect(await done('POST', '/production/produce')).toMatchObject({ jobs: [], assembly_tasks: [] })
    await planAccount(t.context, account.id)
    expect(await findFaults(t.db.sql, account.id)).toEqual(noFaults)

    // Without orders nothing is held.
    const open: { id: string; status: string }[] = await done('GET', '/orders?limit=100')
    for (const { id } of open) await ask('DELETE', `/orders/${id}`)
    await planAccount(t.context, account.id)
    expect(
      await t.db.sql`select demand_id from pegs where account_id = ${account.id} and demand_kind = 'order_item'`,
    ).toEqual([])
    for (const sku of skus) expect((await itemOf(account, sku)).reserved).toBe(0)
  },
  180_000,
)

test('in the course of it plates were printed, and units of them rejected', () => {
  expect(plates.good + plates.failed).toBeGreaterThan(0)
  expect(plates.rejected).toBeGreaterThan(0)
})

describe('what a change takes apart is planned on both sides', () => {
  const order = (...lines: [sku: { id: string } | undefined, quantity: number][]) =>
    done('POST', '/orders', {
      items: lines.map(([sku, quantity]) => ({ product_sku_id: sku?.id, quantity, unit_price: 100 })),
    })

  test('a part that its assembly does without is held for it no longer', async () => {
    const [a, b, , k] = skus
    await order([k, 10])
    await planAccount(t.context, account.id)
    const held = () =>
      t.db.sql`select units from pegs where account_id = ${account.id} and product_sku_id = ${b?.id ?? ''}`
    expect(await held()).not.toEqual([])
    await done('PUT', `/skus/${k?.id}/bom`, { children: [{ child_sku_id: a?.id, quantity_required: 1 }] })
    await planAccount(t.context, account.id)
    expect(await held()).toEqual([])
    await expectWholePlan()
  })

  test('what came from the plate of a recipe that is used no more is short of it', async () => {
    const [main, also] = [await addSku(account, { sku: 'P' }), await addSku(account, { sku: 'Q' })]
    const print_file_id = await insertFile(t, account.id, { printer_model: 'MK4S', print_time_seconds: 600 })
    const recipe = { product_sku_id: main.id, print_file_id, units_per_plate: 2 }
    const { id } = await done('POST', '/recipes', { ...recipe, also_makes: [{ product_sku_id: also.id, units: 1 }] })
    await order([also, 10])
    for (const is_active of [false, true]) {
      await planAccount(t.context, account.id)
      await expectWholePlan()
      await done('PATCH', `/recipes/${id}`, { is_active })
    }
    await planAccount(t.context, account.id)
    await expectWholePlan()
  })

  test('a scarce component that one assembly does without is there for the others', async () => {
    const l = skus[4]
    const [rival, part] = [await addSku(account, { sku: 'R' }), await addSku(account, { sku: 'S' })]
    const ofRival = (quantity_required: number) =>
      done('PUT', `/skus/${rival.id}/bom`, {
        children: [{ child_sku_id: part.id, quantity_required: 1 }],
        inventory: quantity_required === 0 ? [] : [{ inventory_item_id: screws.id, quantity_required }],
      })
    await setStock(account, part, 3)
    await ofRival(10)
    await order([rival, 3], [l, 10])
    await planAccount(t.context, account.id)
    expect(await t.db.sql`select material_id from scarce_materials where account_id = ${account.id}`).not.toEqual([])
    await ofRival(0)
    await planAccount(t.context, account.id)
    await expectWholePlan()
  })
})

test('a component that two assemblies wait for is short for the later one, also when they are planned one after the other', async () => {
  const [rival, part] = [await addSku(account, { sku: 'R' }), await addSku(account, { sku: 'S' })]
  await setStock(account, part, 3)
  await done('PUT', `/skus/${rival.id}/bom`, {
    children: [{ child_sku_id: part.id, quantity_required: 1 }],
    inventory: [{ inventory_item_id: screws.id, quantity_required: 10 }],
  })
  for (const [sku, quantity] of [
    [rival, 3],
    [skus[4], 10],
  ] as const) {
    await done('POST', '/orders', { items: [{ product_sku_id: sku?.id, quantity, unit_price: 100 }] })
    await planAccount(t.context, account.id)
  }
  await expectWholePlan()
  const uses = () => t.db.sql`select units from component_uses where account_id = ${account.id}`
  expect(await uses()).not.toEqual([])
  for (const { id } of await done('GET', '/orders')) await ask('DELETE', `/orders/${id}`)
  await planAccount(t.context, account.id)
  expect(await uses()).toEqual([])
})
