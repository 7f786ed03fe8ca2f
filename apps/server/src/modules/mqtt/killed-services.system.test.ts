import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { farmForEachTest } from '../../test/app-hooks.ts'
import { startServiceProcess } from '../../test/service-process.ts'
import { hasMosquitto, openTestBroker } from '../../test/test-mosquitto.ts'
import { createTestPerson } from '../../test/test-person.ts'

const { t, farm } = farmForEachTest({ config: { outboundNetworks: '127.0.0.1' } })

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
    const owner = await createTestPerson(t, farm.account, 'owner')
    const status = `farm-${farm.account.id}/status`
    const topics = [
      ...[status, `farm-${farm.account.id}/farm`, `farm-${farm.account.id}/printers/${farm.printerId}`],
      `homeassistant/device/printyard_${farm.printerId}/config`,
    ]
    const said = () => observer.all.filter(({ topic }) => topic === status).map(({ text }) => text)
    /** What a client is told that comes now: retained messages alone. */
    async function retained(): Promise<Map<string, string>> {
      const { client, last } = await broker.listen()
      await t.settled(() => topics.every((topic) => last.has(topic)))
      await client.endAsync(true)
      return last
    }

    const left = await startServiceProcess(t)
    const settings = { url: broker.plainUrl, base_topic: `farm-${farm.account.id}`, is_active: true }
    expect((await owner.request('PATCH', '/mqtt/broker', settings)).statusCode).toBe(200)
    await left.does(() => topics.every((topic) => observer.last.has(topic)))
    const right = await startServiceProcess(t)
    await wait(secondLookMs)
    expect(said()).toEqual(['online'])
    const before = await retained()

    await left.kill()
    await right.does(() => said().length === 3)
    expect(said()).toEqual(['online', 'offline', 'online'])
    await right.does(async () => (await owner.request('GET', '/mqtt/broker')).json().data.status === 'connected')
    const after = await retained()
    for (const topic of topics) expect(after.get(topic), topic).toBe(before.get(topic))
    expect(said()).toEqual(['online', 'offline', 'online'])

    await right.kill()
    await t.settled(() => said().length === 4)
    const alone = await retained()
    expect(alone.get(status)).toBe('offline')
    // A printer of a service that is away is shown as such by its availability; what was known of it stays.
    expect(alone.get(topics[2] ?? '')).toBe(before.get(topics[2] ?? ''))
  },
)
