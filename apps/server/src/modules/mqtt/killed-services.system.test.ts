import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { accountForEachTest } from '../../test/app/app-hooks.ts'
import { createTestPerson } from '../../test/farm/test-person.ts'
import { startServiceProcess } from '../../test/run/service-process.ts'
import { hasMosquitto, openTestBroker } from '../../test/services/test-mosquitto.ts'

// An application that listens would publish as well; this one has no hub.
const { t, account } = accountForEachTest({ config: { outboundNetworks: '127.0.0.1' } })

/** Longer than a service takes to look whether a broker is free. */
const secondLookMs = 6_000

test.skipIf(!hasMosquitto)(
  'of two services one publishes; the other takes over when it is killed, and both away is said',
  {
    timeout: 240_000,
  },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'printyard-mqtt-'))
    const broker = await openTestBroker(folder)
    onTestFinished(async () => {
      await broker.kill()
      rmSync(folder, { recursive: true, force: true })
    })
    const observer = await broker.listen()
    const owner = await createTestPerson(t, account, 'owner')
    const printer = { name: 'Left', model: 'MK4S', connection_type: 'virtual' }
    const { id: printerId } = (await account.request('POST', '/printers', printer)).json().data
    const status = `farm-${account.id}/status`
    const state = `farm-${account.id}/printers/${printerId}`
    const discovery = `homeassistant/device/printyard_${printerId}/config`
    const topics = [status, `farm-${account.id}/farm`, state, discovery]
    const said = () => observer.all.filter(({ topic }) => topic === status).map(({ text }) => text)
    /** What a client is told that comes now: retained messages alone. */
    async function retained(): Promise<Map<string, string>> {
      const { client, last } = await broker.listen()
      await t.settled(() => topics.every((topic) => last.has(topic)))
      await client.endAsync(true)
      return last
    }

    const left = await startServiceProcess(t)
    const settings = { url: broker.plainUrl, base_topic: `farm-${account.id}`, is_active: true }
    expect((await owner.request('PATCH', '/mqtt/broker', settings)).statusCode).toBe(200)
    await left.does(() => topics.every((topic) => observer.last.has(topic)))
    const right = await startServiceProcess(t)
    await wait(secondLookMs)
    expect(said()).toEqual(['online'])
    const before = await retained()

    // Whichever process is asked switches a plug; the one that is here has no connection with the broker.
    const plug = { printer_id: printerId, command_topic: 'plug/set', state_topic: 'plug' }
    const plugId = (await owner.request('POST', '/smart-plugs', plug)).json().data.id
    const switched = await owner.request('POST', `/smart-plugs/${plugId}/switch`, { on: true })
    expect(switched.statusCode, switched.body).toBe(200)
    const told = () => observer.all.filter(({ topic }) => topic === 'plug/set').map(({ text }) => text)
    await t.settled(() => told().length === 1)
    expect([told(), said()]).toEqual([['ON'], ['online']])

    await left.kill()
    await right.does(() => said().length === 3)
    expect(said()).toEqual(['online', 'offline', 'online'])
    await right.does(async () => (await owner.request('GET', '/mqtt/broker')).json().data.status === 'connected')
    const after = await retained()
    // All of it is there at once, and Home Assistant knows the printer by the same device.
    expect(after.get(discovery)).toBe(before.get(discovery))
    expect(said()).toEqual(['online', 'offline', 'online'])

    await right.kill()
    await t.settled(() => said().length === 4)
    const alone = await retained()
    expect(alone.get(status)).toBe('offline')
    // A printer of a service that is away is shown as such by its availability; what was known of it stays.
    expect(alone.get(state)).toBe(after.get(state))

    await broker.kill()
    const refused = await owner.request('POST', `/smart-plugs/${plugId}/switch`, { on: true })
    expect([refused.statusCode, refused.json().error.code]).toEqual([400, 'INVALID_STATE'])
  },
)
