import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { answering, openTestReceiver, type TestReceiver } from '@printyard/server/test/services/test-receiver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FarmDatabase, openFarmDatabase } from '../test/farm-database.ts'
import { apiClient, eventually, makeFarmFolder, startServiceProcess } from '../test/farm-processes.ts'

let database: FarmDatabase
let folder: Awaited<ReturnType<typeof makeFarmFolder>>
let receiver: TestReceiver
const services: Awaited<ReturnType<typeof startServiceProcess>>[] = []

beforeAll(async () => {
  database = await openFarmDatabase()
  folder = await makeFarmFolder()
  receiver = await openTestReceiver()
  for (const name of ['left', 'right']) {
    const dataDir = join(folder.path, name)
    await mkdir(dataDir)
    const settings = {
      DATABASE_URL: database.db.url,
      PRINTYARD_SECRET_KEY: 'ab'.repeat(32),
      PRINTYARD_OUTBOUND_NETWORKS: '127.0.0.1',
    }
    services.push(await startServiceProcess(dataDir, { settings }))
  }
}, 120_000)
afterAll(async () => {
  await Promise.all(services.map((service) => service.kill()))
  await receiver?.close()
  await database?.db.close()
  await folder?.remove()
}, 60_000)

test('of two services one is killed in the middle of sending: everything arrives, each subject in order, under the same IDs', async () => {
  const [left, right] = services.map(({ url }) => apiClient(url, database.key))
  if (!left || !right) throw new Error('two services were started')
  const make = (body: object) => left<{ data: { id: string } }>('POST', '/webhooks', body)
  const made = await make({ url: receiver.url, event_types: ['color.*'] })
  expect(made.status).toBe(201)
  const colors: string[] = []
  for (let n = 0; n < 5; n += 1) {
    const color = await left<{ data: { id: string } }>('POST', '/colors', {
      color_name: `Red ${n}`,
      hex_code: '#FF0000',
    })
    colors.push(color.body.data.id)
  }
  await eventually(
    'the first events',
    async () => receiver.received.length,
    (count) => count === 5,
  )

  // From here on answers are withheld: the service that sends has messages under way when it is killed.
  receiver.answer = () => undefined
  const change = async (ask: typeof left, n: number) => {
    for (const id of colors) {
      const answer = await ask('PATCH', `/colors/${id}`, { color_name: `Red ${n} ${id}` })
      expect(answer.status).toBe(200)
    }
  }
  for (let n = 1; n <= 10; n += 1) await change(left, n)
  await eventually(
    'messages under way',
    async () => receiver.underWay,
    (count) => count === 5,
  )
  await services[0]?.kill()
  receiver.answer = answering(200)
  for (let n = 11; n <= 20; n += 1) await change(right, n)

  const ids = () => new Set(receiver.received.map(({ id }) => id))
  await eventually(
    'the other service sends the rest',
    async () => ids().size,
    (count) => count === 105,
    90_000,
  )
  for (const id of colors) {
    const feed = await right<{ data: { id: string }[] }>('GET', `/events?type=color.*&subject=${id}&limit=100`)
    expect(receiver.idsOf(id)).toEqual(feed.body.data.map((event) => event.id))
  }
  // What was under way at the kill came twice, and little else.
  expect(receiver.received.length).toBeLessThanOrEqual(105 + 10)
  const log = await eventually(
    'the log',
    () => right<{ data: object[] }>('GET', `/webhooks/${made.body.data.id}/deliveries?status=pending`),
    ({ body }) => body.data.length === 0,
  )
  expect(log.status).toBe(200)
}, 180_000)
