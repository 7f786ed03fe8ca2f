import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { Memory } from '../../kernel/memory.ts'
import { accountForEachTest } from '../../test/app/app-hooks.ts'
import { addSku } from '../../test/farm/test-catalogue.ts'
import { insertFile } from '../../test/farm/test-fleet.ts'
import { createTestPerson, type TestPerson } from '../../test/farm/test-person.ts'
import { openTestReceiver } from '../../test/services/test-receiver.ts'
import { takeNextEvents } from '../events/feed-readers.queries.ts'
import { workIn } from '../events/work.ts'
import { removeWhatIsOver } from '../retention/retention.service.ts'
import { startDeliveries } from '../webhooks/delivery/follow-events.ts'
import { startAutomation } from './engine/follow-events.ts'
import { runRules } from './engine/run-rules.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
let lateMs = 0
const clock = { now: () => new Date(Date.now() + lateMs) }
const { t, account } = accountForEachTest({ config: { outboundNetworks: '127.0.0.1' }, context: { clock } })

let owner: TestPerson
beforeEach(async () => {
  lateMs = 0
  owner = await createTestPerson(t, account, 'owner')
})

/** Another process on the same database, until the test ends. */
function start() {
  const running = startAutomation({ ...t.context, memory: new Memory() })
  onTestFinished(() => running.stop())
  return running
}

async function addRule(body: object) {
  const answer = await owner.request('POST', '/automation-rules', {
    name: 'Rule',
    kinds: ['printer_error'],
    actions: [{ do: 'create_task' }],
    ...body,
  })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}
const change = (id: string, body: object) => owner.request('PATCH', `/automation-rules/${id}`, body)

interface Run {
  rule_id: string
  outcome: string
  title: string
  steps: { do: string; result: string; detail: string }[]
}
const runs = async (query = ''): Promise<Run[]> =>
  (await owner.request('GET', `/automation-runs?limit=100${query}`)).json().data
async function settledRuns(number: number): Promise<Run[]> {
  await t.settled(async () => (await runs()).length >= number)
  return runs()
}
const outcomes = (listed: readonly Run[]) => listed.map(({ outcome }) => outcome)

async function addPrinter(name = 'Bench 1', location = 'Rack 2'): Promise<string> {
  const answer = await account.request('POST', '/printers', {
    name,
    location,
    model: 'MK4S',
    connection_type: 'virtual',
  })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data.id
}
const printerOf = async (id: string) => (await account.request('GET', `/printers/${id}`)).json().data

/** Reports an error of a printer. */
function fail(printerId: string, actor = 'system'): Promise<void> {
  const data = { reason: 'jam', since: clock.now().toISOString(), problems: [] }
  return t.context.db.begin(async (sql) =>
    workIn(sql, { accountId: account.id, actor, now: clock.now() }).record({
      type: 'printer.error',
      subjectId: printerId,
      data,
    }),
  )
}
const tasks = async () => (await account.request('GET', '/worklist?limit=100')).json().data

test('a rule makes a task for what happened to its printers, in its name, and for no others', async () => {
  const printerId = await addPrinter()
  const other = await addPrinter('Bench 2', 'Rack 3')
  const rule = await addRule({
    name: 'Look',
    locations: ['Rack 2'],
    actions: [{ do: 'create_task', text: 'Look at it' }],
  })
  start()
  await fail(other)
  await fail(printerId)
  const [run, ...more] = await settledRuns(1)
  expect(more).toEqual([])
  expect(run).toMatchObject({
    rule_id: rule.id,
    rule_name: 'Look',
    outcome: 'ran',
    title: 'Bench 1 reports an error',
    path: `/printers/${printerId}`,
    steps: [{ do: 'create_task', result: 'done', detail: 'Look at it' }],
  })
  expect(await tasks()).toMatchObject([
    { title: 'Look at it', subtitle: 'Bench 1 reports an error', priority: 'high', printer_id: printerId },
  ])
  const [event] = (await owner.request('GET', '/audit?type=worklist_task.created')).json().data
  expect(event).toMatchObject({ actor: `rule:${rule.id}`, actor_name: 'Look' })
})

test('three errors of one printer within a day take it out of service; of two printers, or over two days, they do not', async () => {
  const [first, second] = [await addPrinter(), await addPrinter('Bench 2')]
  await addRule({ name: 'Three', times: 3, within_minutes: 1_440, actions: [{ do: 'start_maintenance' }] })
  start()
  for (const id of [first, second, first]) await fail(id)
  expect(outcomes(await settledRuns(3))).toEqual(['counted', 'counted', 'counted'])
  // Windows go by when it happened: the first two are a day old.
  await t.db
    .sql`update automation_runs set happened_at = happened_at - interval '25 hours' where account_id = ${account.id}`
  await fail(first)
  expect(outcomes(await settledRuns(4))[0]).toBe('counted')
  await fail(first)
  await settledRuns(5)
  expect(await printerOf(first)).toMatchObject({ in_maintenance: false })
  await fail(first)
  expect((await settledRuns(6))[0]).toMatchObject({ outcome: 'ran', steps: [{ result: 'done', detail: 'Bench 1' }] })
  expect(await printerOf(first)).toMatchObject({ in_maintenance: true, maintenance_type: 'Rule: Three' })
  expect(await printerOf(second)).toMatchObject({ in_maintenance: false })
  // Counting begins again.
  await fail(first)
  expect(outcomes(await settledRuns(7))[0]).toBe('counted')
})

test('on trial a rule notes what it would do, and does nothing', async () => {
  const printerId = await addPrinter()
  await addRule({ mode: 'trial', actions: [{ do: 'start_maintenance' }, { do: 'create_task' }] })
  start()
  await fail(printerId)
  const [run] = await settledRuns(1)
  expect(run).toMatchObject({
    outcome: 'trial',
    steps: [
      { do: 'start_maintenance', result: 'not_done' },
      { do: 'create_task', result: 'not_done' },
    ],
  })
  expect(await printerOf(printerId)).toMatchObject({ in_maintenance: false })
  expect(await tasks()).toEqual([])
})

test('a rule acts no oftener than it may, is quiet when it is off, and acts again an hour later', async () => {
  const printerId = await addPrinter()
  const rule = await addRule({ most_per_hour: 2 })
  start()
  for (let index = 0; index < 3; index++) await fail(printerId)
  expect(outcomes(await settledRuns(3))).toEqual(['held', 'ran', 'ran'])
  expect(await tasks()).toHaveLength(2)
  expect((await change(rule.id, { mode: 'off' })).statusCode).toBe(200)
  await fail(printerId)
  const position = async () => {
    const [row] = await t.db.sql<{ behind: number }[]>`
      select count(*)::int as behind from events e join automation_feeds f on f.account_id = e.account_id
      where e.account_id = ${account.id} and (e.txid, e.id) > (f.txid, f.event_id) and e.type = 'printer.error'`
    return row?.behind
  }
  await t.settled(async () => (await position()) === 0)
  expect(await runs()).toHaveLength(3)
  await change(rule.id, { mode: 'on' })
  lateMs = hourMs + 1_000
  await fail(printerId)
  expect(outcomes(await settledRuns(4))[0]).toBe('ran')
})

test('what a rule does runs no rule', async () => {
  const printerId = await addPrinter()
  const rule = await addRule({})
  start()
  await fail(printerId, `rule:${rule.id}`)
  await fail(printerId)
  expect(outcomes(await settledRuns(1))).toEqual(['ran'])
})

test('an order that comes in gets its priority, is produced and is told of, each once', async () => {
  await addPrinter()
  const sku = await addSku(account, { sku: 'CLIP' })
  const fileId = await insertFile(t, account.id, { printer_model: 'MK4S', print_time_seconds: 600 })
  const recipe = { product_sku_id: sku.id, print_file_id: fileId, units_per_plate: 4 }
  expect((await account.request('POST', '/recipes', recipe)).statusCode).toBe(201)
  const channel = await owner.request('POST', '/notification-channels', {
    kind: 'ntfy',
    name: 'Workshop',
    server: 'http://127.0.0.1:1024',
    topic: 'farm',
  })
  expect(channel.statusCode, channel.body).toBe(201)
  const channelId = channel.json().data.id
  await addRule({
    kinds: ['order_received'],
    actions: [
      { do: 'set_order_priority', priority: 'urgent' },
      { do: 'produce' },
      { do: 'send_message', channel_ids: [channelId], text: 'A sale' },
      { do: 'start_maintenance' },
    ],
  })
  start()
  const order = await account.request('POST', '/orders', {
    customer_name: 'A',
    items: [{ product_sku_id: sku.id, quantity: 5, unit_price: 100 }],
  })
  const { id, order_number: number } = order.json().data
  const [run] = await settledRuns(1)
  expect(run?.steps).toEqual([
    { do: 'set_order_priority', result: 'done', detail: 'normal → urgent' },
    { do: 'produce', result: 'done', detail: '1 job queued' },
    { do: 'send_message', result: 'done', detail: '1 message' },
    { do: 'start_maintenance', result: 'refused', detail: 'This is about no printer.' },
  ])
  expect(await t.db.sql`select priority from orders where account_id = ${account.id} and id = ${id}`).toMatchObject([
    { priority: 'urgent' },
  ])
  expect((await account.request('GET', '/jobs?status=queued')).json().data).toHaveLength(1)
  const told = (await owner.request('GET', '/notifications?limit=10')).json().data
  expect(told.filter(({ kind }: { kind: string }) => kind === 'automation')).toMatchObject([
    { channel_id: channelId, title: 'A sale', body: `New order ${number}`, path: `/orders/${id}` },
  ])
})

test('a webhook is called with the run, whatever else it is sent', async () => {
  const receiver = await openTestReceiver()
  onTestFinished(() => receiver.close())
  const webhook = await account.request('POST', '/webhooks', { url: receiver.url, event_types: ['color.*'] })
  const printerId = await addPrinter()
  const rule = await addRule({ actions: [{ do: 'call_webhook', webhook_id: webhook.json().data.id }] })
  start()
  const deliveries = startDeliveries({ ...t.context, memory: new Memory() })
  onTestFinished(() => deliveries.stop())
  await fail(printerId)
  await t.settled(() => receiver.received.length > 0)
  const body = JSON.parse(receiver.received[0]?.body ?? '')
  expect(body).toMatchObject({
    type: 'automation_rule.ran',
    data: { subject_id: rule.id, data: { kind: 'printer_error', about: printerId } },
  })
  expect(receiver.received).toHaveLength(1)
})

test('several processes do each thing once, also when one fails in the middle', async () => {
  const printerId = await addPrinter()
  await addRule({ most_per_hour: 1_000 })
  const { db } = t.context
  let left = 5
  const failing = {
    ...db,
    begin: ((work: Parameters<typeof db.begin>[0]) =>
      db.begin(async (sql) => {
        const answer = await work(sql)
        if (left > 0 && (await sql`select from automation_runs where account_id = ${account.id}`).length > 0) {
          left--
          throw new Error('killed before the commit')
        }
        return answer
      })) as typeof db.begin,
  }
  for (const context of [t.context, t.context].map((each) => ({ ...each, db: failing }))) {
    const running = startAutomation({ ...context, memory: new Memory() })
    onTestFinished(() => running.stop())
  }
  for (let index = 0; index < 30; index++) await fail(printerId)
  await settledRuns(30)
  expect(outcomes(await runs())).toEqual(Array.from({ length: 30 }, () => 'ran'))
  expect(await tasks()).toHaveLength(30)
  expect(left).toBe(0)
})

test('what one process is looking through, another one leaves to it', async () => {
  const printerId = await addPrinter()
  await addRule({})
  await fail(printerId)
  await t.db.begin(async (sql) => {
    expect((await takeNextEvents(sql, 'automation_feeds', [account.id])).length).toBeGreaterThan(0)
    await runRules(t.context, account.id)
    expect(await runs()).toEqual([])
  })
  await runRules(t.context, account.id)
  expect(outcomes(await runs())).toEqual(['ran'])
})

test('what one event comes to is done in several transactions, each rule once', async () => {
  const printerId = await addPrinter()
  for (let index = 0; index < 8; index++) {
    await addRule({ name: `Rule ${index}`, actions: Array.from({ length: 5 }, () => ({ do: 'create_task' })) })
  }
  start()
  await fail(printerId)
  const done = await settledRuns(8)
  expect(new Set(done.map((run) => run.rule_id)).size).toBe(8)
  expect(await tasks()).toHaveLength(40)
  const [made] = await t.db.sql<{ transactions: number }[]>`
    select count(distinct txid)::int as transactions from events
    where account_id = ${account.id} and type = 'automation_rule.ran'`
  expect(made?.transactions).toBeGreaterThan(1)
})

test('rules are changed, listed and deleted, and what cannot be is refused with the place of it', async () => {
  const printerId = await addPrinter()
  const rule = await addRule({})
  expect((await change(rule.id, { times: 2 })).json().data).toMatchObject({ times: 2, mode: 'on', most_per_hour: 20 })
  const events = async () => (await owner.request('GET', '/events?type=automation_rule.*&limit=10')).json().data
  expect((await change(rule.id, { actions: [{ do: 'create_task' }] })).statusCode).toBe(200)
  expect(await events()).toMatchObject([
    { type: 'automation_rule.created' },
    { type: 'automation_rule.updated', data: { fields: ['times'] } },
  ])
  const refused: [object, string][] = [
    [{ do: 'send_message' }, 'send_message needs channel_ids'],
    [{ do: 'send_message', channel_ids: ['nch_none'] }, 'channel_ids names no channel of this account'],
    [{ do: 'call_webhook', webhook_id: 'whk_none' }, 'webhook_id names no webhook of this account'],
    [{ do: 'set_order_priority' }, 'set_order_priority needs priority'],
    [{ do: 'produce', text: 'x' }, 'produce takes no text'],
  ]
  for (const [action, problem] of refused) {
    const answer = await change(rule.id, { actions: [{ do: 'create_task' }, action] })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.details).toEqual({ 'actions.1': [problem] })
  }
  expect((await owner.request('DELETE', `/automation-rules/${rule.id}`)).statusCode).toBe(200)
  start()
  await fail(printerId)
  expect((await owner.request('GET', '/automation-rules')).json().data).toEqual([])
  expect((await owner.request('GET', `/automation-rules/${rule.id}`)).statusCode).toBe(404)
})

test('runs are kept for thirty days', async () => {
  const printerId = await addPrinter()
  await addRule({})
  start()
  await fail(printerId)
  await settledRuns(1)
  const kept = async () => (await t.db.sql`select from automation_runs where account_id = ${account.id}`).length
  lateMs = 29 * dayMs
  await removeWhatIsOver(t.context)
  expect(await kept()).toBe(1)
  lateMs = 31 * dayMs
  await removeWhatIsOver(t.context)
  expect(await kept()).toBe(0)
})

test('a rule that came with an import waits to be switched on, and looks at nothing that was before', async () => {
  const made = await owner.request('POST', '/automation-rules', {
    ...{ name: 'Look', kinds: ['printer_error'], actions: [{ do: 'create_task', text: 'Look at it' }], mode: 'off' },
  })
  const { id } = made.json().data
  // As an import leaves it: no event of this service was ever looked at.
  await t.db.sql`delete from automation_feeds where account_id = ${account.id}`
  await t.db.sql`
    update automation_rules set actions = '[{"do":"send_message","channel_ids":[]}]'
    where account_id = ${account.id} and id = ${id}`
  const refused = await owner.request('PATCH', `/automation-rules/${id}`, { mode: 'on' })
  expect(refused.json().error.details).toEqual({ 'actions.0': ['send_message needs channel_ids'] })
  const task = [{ do: 'create_task' }]
  expect((await owner.request('PATCH', `/automation-rules/${id}`, { mode: 'on', actions: task })).statusCode).toBe(200)
  const [feed] = await t.db.sql`select id from automation_feeds where account_id = ${account.id}`
  expect(feed).toBeDefined()
})
