import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { farmForEachTest } from '../../test/app/app-hooks.ts'
import { systemWork } from '../../test/app/system-work.ts'
import { createTestPerson, type TestPerson } from '../../test/farm/test-person.ts'
import { hasMosquitto, openTestBroker, type TestBroker } from '../../test/services/test-mosquitto.ts'
import { reservePrinter } from '../attempts/attempts.queries.ts'
import { releasePower, takePowerOff } from '../printers/state/power.queries.ts'

const clock = { aheadMs: 0, now: () => new Date(Date.now() + clock.aheadMs) }
const { t, farm } = farmForEachTest({ config: { outboundNetworks: '127.0.0.1,::1' }, context: { clock } })

let folder: string
let broker: TestBroker
let owner: TestPerson
let observer: Awaited<ReturnType<TestBroker['listen']>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'printyard-mqtt-'))
  if (hasMosquitto) broker = await openTestBroker(folder)
})
afterAll(async () => {
  await broker?.kill()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  clock.aheadMs = 0
  if (!hasMosquitto) return
  owner = await createTestPerson(t, farm.account, 'owner')
  observer = await broker.listen()
  // Gone with the test: the account of the next one publishes below another topic.
  return async () => {
    await owner.request('DELETE', '/mqtt/broker')
    await observer.client.endAsync(true)
  }
})

const base = () => `farm-${farm.account.id}`
const stateTopic = () => `${base()}/printers/${farm.printerId}`
const stateOf = () => JSON.parse(observer.last.get(stateTopic()) ?? '{}')
const discovery = () => `homeassistant/device/printyard_${farm.printerId}/config`
const brokerNow = async () => (await owner.request('GET', '/mqtt/broker')).json().data

async function connect(more: object = {}): Promise<void> {
  const body = {
    url: broker.plainUrl,
    base_topic: base(),
    allowed_commands: ['pause', 'light'],
    is_active: true,
    ...more,
  }
  const answer = await owner.request('PATCH', '/mqtt/broker', body)
  expect(answer.statusCode, answer.body).toBe(200)
}
const connected = () => t.settled(async () => (await brokerNow()).status === 'connected')

describe.skipIf(!hasMosquitto)('publishing', { timeout: 60_000 }, () => {
  test('a printer is found by Home Assistant, shown as it changes, and cleared when publishing is switched off', async () => {
    await connect()
    await connected()
    const config = JSON.parse(observer.last.get(discovery()) ?? '{}')
    expect(config.device).toMatchObject({ name: 'Printer', model: 'MK4S' })
    expect(Object.keys(config.components)).toEqual(expect.arrayContaining(['state', 'progress', 'pause', 'light']))
    expect(config.components.stop).toBeUndefined()
    expect(observer.last.get(`${base()}/status`)).toBe('online')
    expect(stateOf()).toMatchObject({ state: 'idle', reachable: true, plate: 'clear', needs_person: false })

    farm.hub.telemetry(farm.printerId, { status: 'printing', progress: 41, remaining_time_minutes: 12 })
    await t.settled(() => stateOf().state === 'printing')
    expect(stateOf()).toMatchObject({ progress: 41, remaining_minutes: 12 })

    const task = { title: 'Look', task_type: 'maintenance', priority: 'high', printer_id: farm.printerId }
    expect((await farm.account.request('POST', '/worklist', task)).statusCode).toBe(201)
    await t.settled(() => stateOf().needs_person === true)
    const ofFarm = () => JSON.parse(observer.last.get(`${base()}/farm`) ?? '{}')
    await t.settled(() => ofFarm().open_tasks === 1)
    expect(ofFarm()).toMatchObject({ needs_person: true, printing: 1 })

    // What is new is told to a client that comes later: all of it is retained.
    const later = await broker.listen()
    await t.settled(
      () => later.last.get(stateTopic()) === observer.last.get(stateTopic()) && later.last.has(discovery()),
    )
    await later.client.endAsync(true)

    await farm.hub.close()
    await t.settled(() => stateOf().state === 'offline' && stateOf().reachable === false)

    await owner.request('PATCH', '/mqtt/broker', { is_active: false })
    await t.settled(() => ![...observer.last.keys()].some((topic) => topic.startsWith(base()) || topic === discovery()))
    expect(await brokerNow()).toMatchObject({ status: 'off', is_active: false })
  })

  test('temperatures that move are told seldom, and a burst of reports is told once', async () => {
    await connect()
    await connected()
    farm.hub.telemetry(farm.printerId, { status: 'printing', nozzle_temp: 200, progress: 1 })
    await t.settled(() => stateOf().progress === 1)
    const before = observer.all.filter(({ topic }) => topic === stateTopic()).length
    for (let n = 0; n < 20; n += 1)
      farm.hub.telemetry(farm.printerId, { status: 'printing', progress: 1, nozzle_temp: 200 + (n % 7) })
    for (let n = 31; n <= 50; n += 1) farm.hub.telemetry(farm.printerId, { status: 'printing', progress: n })
    await t.settled(() => stateOf().progress === 50)
    const told = observer.all.filter(({ topic }) => topic === stateTopic()).length - before
    expect(told).toBeLessThanOrEqual(3)
  })

  test('a printer that is renamed is found by its new name, and one that is gone is cleared', async () => {
    await connect()
    await connected()
    await farm.account.request('PATCH', `/printers/${farm.printerId}`, { name: 'Left' })
    await t.settled(() => JSON.parse(observer.last.get(discovery()) ?? '{}').device?.name === 'Left')
    expect((await farm.account.request('DELETE', `/printers/${farm.printerId}`)).statusCode).toBe(200)
    await t.settled(() => !observer.last.has(discovery()) && !observer.last.has(stateTopic()))
  })

  test('the broker publishes that the service is away when its connection breaks off, and it comes back by itself', async () => {
    await connect()
    await connected()
    const { id } = await brokerNow()
    const intruder = await connectAsync(broker.plainUrl, { clientId: `printyard-${id}`, reconnectPeriod: 0 })
    await t.settled(() => observer.all.some(({ topic, text }) => topic === `${base()}/status` && text === 'offline'))
    await intruder.endAsync(true)
    await t.settled(() => observer.last.get(`${base()}/status`) === 'online')
  })

  test('Home Assistant is told everything once more when it starts', async () => {
    await connect()
    await connected()
    observer.last.clear()
    await observer.client.publishAsync('homeassistant/status', 'online')
    await t.settled(() => observer.last.has(discovery()) && observer.last.has(stateTopic()))
  })
})

describe.skipIf(!hasMosquitto)('a broker that is away', { timeout: 90_000 }, () => {
  test('keeps nothing from working; it says since when, and all is published as it is once it is back', async () => {
    await connect()
    await connected()
    await broker.kill()
    // More than three failures in a row.
    await t.settled(async () => (await brokerNow()).status === 'failing')
    const { failing_since: since, problem } = await brokerNow()
    expect(Date.parse(since)).toBeGreaterThan(Date.now() - 60_000)
    expect(problem).toContain('ECONNREFUSED')
    for (let n = 0; n < 40; n += 1) farm.hub.telemetry(farm.printerId, { status: 'printing', progress: n })
    farm.hub.telemetry(farm.printerId, { status: 'printing', progress: 77 })
    expect((await farm.account.request('GET', '/printers')).statusCode).toBe(200)

    await broker.start()
    observer = await broker.listen()
    await connected()
    expect(stateOf()).toMatchObject({ state: 'printing', progress: 77 })
    expect(observer.all.filter(({ topic }) => topic === stateTopic()).length).toBeLessThanOrEqual(2)
    const types = await t.db.sql<{ type: string }[]>`
      select type from events where account_id = ${farm.account.id} and type like 'mqtt_broker.%' order by txid, id`
    expect(types.map(({ type }) => type)).toEqual([
      'mqtt_broker.updated',
      'mqtt_broker.failing',
      'mqtt_broker.recovered',
    ])
  })
})

describe.skipIf(!hasMosquitto)('commands', { timeout: 60_000 }, () => {
  const command = (text: string, options = {}) => observer.client.publishAsync(`${stateTopic()}/command`, text, options)
  const results = () =>
    observer.all
      .filter(({ topic }) => topic === `${stateTopic()}/command_result`)
      .map(({ text }) => JSON.parse(text) as { command: string; result: string; message: string | null })

  test('go the way of the API, are recorded with who gave them, and are refused where the settings do not allow them', async () => {
    await connect()
    await connected()
    await command('pause')
    await t.settled(() => results().length === 1)
    // The printer is idle.
    expect(results()[0]).toMatchObject({ command: 'pause', result: 'refused' })
    expect(farm.hub.commands()).toHaveLength(0)

    await farm.print(await farm.queueJob())
    farm.hub.onCommand(() => ({ ok: true }))
    const before = farm.hub.commands().length
    await command('light_on')
    await command('stop')
    await command('reboot')
    await t.settled(() => farm.hub.commands().length > before && results().length === 3)
    expect(results().find((each) => each.command === 'stop')).toMatchObject({ result: 'refused' })
    expect(farm.hub.commands().slice(before)).toMatchObject([{ kind: 'light', args: { on: true } }])
    const actors = await t.db.sql<{ actor: string }[]>`
      select actor from commands where account_id = ${farm.account.id} and kind = 'light'`
    expect(actors).toEqual([{ actor: `mqtt:${(await brokerNow()).id}` }])
  })

  test('that are retained are never followed', async () => {
    await command('light_on', { retain: true })
    await connect()
    await connected()
    await command('pause')
    await t.settled(() => results().length > 0)
    expect(farm.hub.commands().map(({ kind }) => kind)).not.toContain('light')
    await command('', { retain: true })
  })
})

describe.skipIf(!hasMosquitto)('the settings', { timeout: 60_000 }, () => {
  test('speak TLS with an authority of their own; a wrong password is told, and secrets are never answered', async () => {
    const { secureUrl: url, ca, username } = broker
    await connect({ url, ca, username, password: 'wrong-password' })
    const tested = await owner.request('POST', '/mqtt/broker/test')
    expect(tested.json().data).toEqual({ ok: false, problem: expect.stringContaining('does not let') })
    await t.settled(async () => (await brokerNow()).status === 'failing')
    await connect({ url, password: broker.password })
    await connected()
    const answer = await owner.request('GET', '/mqtt/broker')
    expect(answer.json().data).toMatchObject({ has_ca: true, has_password: true, has_username: true })
    for (const secret of [broker.password, 'wrong-password', 'BEGIN CERTIFICATE'])
      expect(answer.body).not.toContain(secret)
    expect((await owner.request('POST', '/mqtt/broker/test')).json().data).toEqual({ ok: true, problem: null })
    await owner.request('PATCH', '/mqtt/broker', { ca: null })
    const untrusted = await owner.request('POST', '/mqtt/broker/test')
    expect(untrusted.json().data.ok).toBe(false)
  })

  test('what was entered for one broker is never sent to another: who changes the address enters the password again', async () => {
    const { secureUrl: url, plainUrl, ca, username, password } = broker
    await connect({ url, ca, username, password })
    const change = (body: object) => owner.request('PATCH', '/mqtt/broker', body)
    for (const other of [plainUrl, 'mqtts://broker.example.com', url.replace(/\d+$/, '18883')]) {
      const refused = await change({ url: other })
      expect([refused.statusCode, refused.json().error.details]).toEqual([
        400,
        { password: ['is needed again: the broker is another one'] },
      ])
    }
    expect((await brokerNow()).url).toBe(url)
    // The same broker in other words takes nothing away; nor does giving up the password.
    expect((await change({ url: `${url}/` })).statusCode).toBe(200)
    expect((await brokerNow()).has_password).toBe(true)
    expect((await change({ url: plainUrl, password: null })).statusCode).toBe(200)
  })

  test.each([
    ['url', { url: 'https://broker' }],
    ['base_topic', { base_topic: 'a/#' }],
    ['ca', { ca: 'no certificate' }],
  ])('refuse what cannot work, and say so at %s', async (field, body) => {
    const answer = await owner.request('PATCH', '/mqtt/broker', { url: broker.plainUrl, ...body })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.details[field]).toBeDefined()
  })
})

describe.skipIf(!hasMosquitto)('a smart plug', { timeout: 60_000 }, () => {
  const cold = { status: 'idle' as const, nozzle_temp: 25, bed_temp: 24, target_nozzle_temp: 0, target_bed_temp: 0 }
  const plugTopic = () => `plugs/${farm.printerId}`
  const told = () => observer.all.filter(({ topic }) => topic === `${plugTopic()}/set`).map(({ text }) => text)
  const plugNow = async () => (await owner.request('GET', '/smart-plugs')).json().data.plugs[0]
  const says = async (state: 'ON' | 'OFF') => {
    await observer.client.publishAsync(plugTopic(), state)
    await t.settled(async () => (await plugNow()).state === state.toLowerCase())
  }

  async function plugIn(more: object = {}): Promise<string> {
    await connect()
    await connected()
    const body = { printer_id: farm.printerId, command_topic: `${plugTopic()}/set`, state_topic: plugTopic(), ...more }
    const answer = await owner.request('POST', '/smart-plugs', body)
    expect(answer.statusCode, answer.body).toBe(201)
    // What it says is heard once its topic is subscribed to.
    await t.settled(async () => {
      await observer.client.publishAsync(plugTopic(), 'ON')
      return (await plugNow()).state === 'on'
    })
    return answer.json().data.id
  }

  test('goes off after the printer did nothing for long enough, but not while it is hot', async () => {
    farm.hub.telemetry(farm.printerId, { ...cold, nozzle_temp: 180 })
    await plugIn({ off_after_minutes: 30 })
    await farm.account.request('PATCH', `/printers/${farm.printerId}`, { notes: 'looked at' })
    clock.aheadMs = 31 * 60_000
    await farm.account.request('PATCH', `/printers/${farm.printerId}`, { notes: 'looked at again' })
    await expect(
      owner.request('POST', `/smart-plugs/${(await plugNow()).id}/switch`, { on: false }),
    ).resolves.toMatchObject({
      statusCode: 400,
    })
    expect(told()).toEqual([])
    farm.hub.telemetry(farm.printerId, cold)
    await t.settled(() => t.context.printers.find(farm.printerId)?.state.nozzle_temp === 25)
    await farm.account.request('PATCH', `/printers/${farm.printerId}`, { notes: 'cold now' })
    await t.settled(() => told().length > 0)
    expect(told()).toEqual(['OFF'])
    const listSwitched = () =>
      t.db.sql<{ data: object }[]>`
        select data from events where account_id = ${farm.account.id} and type = 'smart_plug.switched'`
    await t.settled(async () => (await listSwitched()).length > 0)
    expect(await listSwitched()).toMatchObject([{ data: { printer_id: farm.printerId, on: false } }])
  })

  test('is not taken, and neither is a broker, until a time comes again that a clock showed before it was set back', async () => {
    const { sql } = t.db
    const { id: accountId } = farm.account
    await plugIn()
    const find = async () => {
      const [row] = await sql<{ lease_id: string | null; leased_until: Date; power_off_until: Date | null }[]>`
        select b.lease_id, b.leased_until, p.power_off_until
        from mqtt_brokers b join printers p on p.account_id = b.account_id and p.id = ${farm.printerId}
        where b.account_id = ${accountId}`
      return row
    }
    clock.aheadMs = 5 * 3_600_000
    await t.settled(async () => ((await find())?.leased_until.getTime() ?? 0) > Date.now() + 3_600_000)
    const now = clock.now()
    const until = new Date(now.getTime() + 120_000)
    expect(await t.db.begin((inner) => takePowerOff(inner, accountId, farm.printerId, { now, until }))).toBe(true)
    await sql`
      update mqtt_brokers set lease_id = 'mql_dead', leased_until = ${new Date(now.getTime() + 20_000)}
      where account_id = ${accountId}`
    clock.aheadMs = 0
    await t.settled(async () => (await find())?.power_off_until === null)
    clock.aheadMs = 90_000
    await t.settled(async () => (await find())?.lease_id !== 'mql_dead')
    await connected()
  })

  test('is never switched off under a job, and nothing starts while it is', async () => {
    farm.hub.telemetry(farm.printerId, cold)
    const id = await plugIn()
    const { sql } = t.db
    const { id: accountId } = farm.account
    const now = clock.now()
    const until = new Date(now.getTime() + 60_000)
    const jobId = await farm.queueJob()
    const [job] = await sql<
      { file_version_id: string }[]
    >`select file_version_id from jobs where account_id = ${accountId} and id = ${jobId}`
    const reserve = () =>
      t.db.begin((inner) =>
        reservePrinter(systemWork(inner, accountId), {
          ...{ id: newId('attempt'), job_id: jobId, plate_number: 1, printer_id: farm.printerId, hub_id: farm.hubId },
          ...{ file_version_id: job?.file_version_id as never, ejection: null, filament_map: null },
        }),
      )
    // Whichever is first, the other finds it: ten times at once.
    for (let round = 0; round < 10; round += 1) {
      const [isTaken, reserved] = await Promise.all([
        t.db.begin((inner) => takePowerOff(inner, accountId, farm.printerId, { now, until })),
        reserve(),
      ])
      expect([isTaken, reserved !== undefined].filter(Boolean)).toHaveLength(1)
      if (reserved) {
        const answer = await owner.request('POST', `/smart-plugs/${id}/switch`, { on: false })
        expect(answer.statusCode).toBe(400)
        await sql`delete from attempts where account_id = ${accountId}`
        await sql`update jobs set status = 'queued' where account_id = ${accountId} and id = ${jobId}`
      } else await releasePower(sql, accountId, farm.printerId)
    }
    expect(told()).toEqual([])

    expect((await owner.request('POST', `/smart-plugs/${id}/switch`, { on: false })).statusCode).toBe(200)
    await t.settled(() => told().includes('OFF'))
    const started = await farm.account.request('POST', `/jobs/${jobId}/start`)
    expect(started.statusCode).toBe(409)
    expect(farm.hub.commands()).toHaveLength(0)
  })

  test('goes on when a job waits for its printer, and stays off when none does', async () => {
    await farm.account.request('PATCH', `/printers/${farm.printerId}`, {
      ...{ auto_start: true, current_filament_type: 'PETG' },
    })
    farm.hub.telemetry(farm.printerId, cold)
    await plugIn({ switches_on: true })
    await says('OFF')
    farm.hub.telemetry(farm.printerId, { status: 'offline' })
    await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'offline')
    await farm.account.request('PATCH', `/printers/${farm.printerId}`, { notes: 'nothing to do' })
    expect(told()).toEqual([])
    await farm.queueJob()
    await t.settled(() => told().includes('ON'))
    expect(farm.hub.commands()).toHaveLength(0)
  })
})
