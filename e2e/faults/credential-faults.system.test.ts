import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, printyard, startHubProcess } from '../test/farm-processes.ts'
import { sendRequest, startTestFarm, type TestFarm } from '../test/test-farm.ts'

let farm: TestFarm
let fileId: string
beforeAll(async () => {
  farm = await startTestFarm()
  fileId = await farm.addFile()
}, 90_000)
afterAll(() => farm?.end(), 30_000)

const enqueueWith = (key: string) =>
  sendRequest<{ id: string }>(farm.service.url, key, 'POST', '/jobs', { print_file_id: fileId })

async function countJobs(): Promise<number> {
  return (await farm.ask<unknown[]>(200, 'GET', '/jobs')).length
}

test('a key that the command line revokes beside the running service is refused from its very next request on', async () => {
  const { id, key } = await farm.createKey()
  const made = await enqueueWith(key)
  expect(made.status).toBe(201)
  await printyard(farm.dataDir, 'keys', 'revoke', id)
  expect(await enqueueWith(key)).toMatchObject({ status: 401, body: { error: { code: 'TOKEN_REVOKED' } } })
  // What it did before stays, for those who may still come in.
  expect(await farm.job(made.body.data.id)).toMatchObject({ status: 'queued' })
  expect(await countJobs()).toBe(1)
})

test('a key is refused once it has expired', async () => {
  const before = await countJobs()
  const { key } = await farm.createKey('--expires-in', '3s')
  expect((await enqueueWith(key)).status).toBe(201)
  await wait(3_000)
  expect(await enqueueWith(key)).toMatchObject({ status: 401, body: { error: { code: 'TOKEN_EXPIRED' } } })
  expect(await countJobs()).toBe(before + 1)
})

test('a wrong key is refused, and the log of the service names no key at all', async () => {
  const wrong = `printyard_live_${'0'.repeat(64)}`
  expect(await enqueueWith(wrong)).toMatchObject({ status: 401, body: { error: { code: 'TOKEN_INVALID' } } })
  expect(farm.service.log()).not.toContain('printyard_live_')
  expect((await enqueueWith(farm.key)).status).toBe(201)
})

test('a hub with a wrong token is not let in and says so; the right hub is not disturbed', async () => {
  const hub = await farm.createHub('Hub')
  hub.start()
  const printerId = await hub.addPrinter()
  const stranger = startHubProcess({
    url: farm.service.url,
    token: `${'x'.repeat(40)}`,
    dataDir: `${farm.path}/stranger`,
    speed: 100,
  })
  try {
    await eventually(
      'the refusal in the log of the hub',
      async () => stranger.log(),
      (log) => /refuse/.test(log) && log.includes('401'),
    )
  } finally {
    await stranger.stop()
  }
  expect(stranger.log()).not.toContain('x'.repeat(40))
  const hubs = await farm.ask<{ id: string }[]>(200, 'GET', '/hubs')
  expect(hubs.map((each) => each.id)).toEqual([hub.id])
  expect(await farm.ask(200, 'GET', `/printers/${printerId}/status`)).toMatchObject({
    hub_online: true,
    status: 'idle',
  })
})
