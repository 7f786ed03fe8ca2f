import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { startTestFarm, type TestFarm, type TestHub } from '../test/test-farm.ts'

let farm: TestFarm
let hub: TestHub
let fileId: string
beforeAll(async () => {
  farm = await startTestFarm({ hasOwnPostgres: true })
  fileId = await farm.addFile()
  hub = await farm.createHub('Hub')
}, 90_000)
afterAll(() => farm?.end(), 30_000)

test('a job whose 201 came just before the service was killed is there once, and its replay is the same byte for byte', async () => {
  const send = async (key: string) => {
    const answer = await fetch(`${farm.service.url}/public/v1/jobs`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${farm.key}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ print_file_id: fileId, number_of_units: 3 }),
    })
    return { status: answer.status, replayed: answer.headers.get('idempotent-replayed'), text: await answer.text() }
  }
  const first = await send('order-1001')
  await farm.service.kill()
  expect(first).toMatchObject({ status: 201, replayed: null })

  await farm.startAgain()
  expect(await send('order-1001')).toEqual({ status: 201, replayed: 'true', text: first.text })
  const jobs = await farm.ask<{ id: string }[]>(200, 'GET', '/jobs')
  expect(jobs.map((job) => job.id)).toEqual([JSON.parse(first.text).data.id])
}, 60_000)

test('requests that the kill cut off were done once or not at all, and sending them again settles it', async () => {
  const before = await farm.ask<unknown[]>(200, 'GET', '/jobs')
  const keys = Array.from({ length: 30 }, (_, index) => `order-2-${index}`)
  const enqueue = (key: string) =>
    farm.request<{ id: string }>('POST', '/jobs', { print_file_id: fileId }, { 'idempotency-key': key })
  const cutOff = keys.map((key) => enqueue(key).catch(() => undefined))
  await Promise.race(cutOff)
  await farm.service.kill()
  const first = await Promise.all(cutOff)
  expect(first.filter((answer) => answer?.status === 201).length).toBeLessThan(keys.length)

  await farm.startAgain()
  const again = await Promise.all(keys.map(enqueue))
  for (const [index, answer] of again.entries()) {
    expect(answer.status).toBe(201)
    const acknowledged = first[index]
    if (acknowledged?.status === 201) expect(answer.body).toEqual(acknowledged.body)
  }
  expect(await farm.ask<unknown[]>(200, 'GET', '/jobs?limit=100')).toHaveLength(before.length + keys.length)
}, 60_000)

test('a service that is stopped while a hub prints ends with 0 in time; the hub comes back and the print finishes', async () => {
  hub.start({ speed: 200 })
  const printerId = await hub.addPrinter()
  const job = await farm.ask<{ id: string }>(201, 'POST', '/jobs', { print_file_id: fileId, printer_id: printerId })
  await farm.ask(200, 'POST', `/jobs/${job.id}/start`)
  await eventually(
    'the job printing',
    () => farm.job(job.id),
    (now) => now.status === 'printing',
  )

  const startedAt = performance.now()
  expect(await farm.service.stop()).toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(10_000)

  await farm.startAgain()
  const done = await eventually(
    'the job completing',
    () => farm.job(job.id),
    (now) => now.status === 'completed',
    60_000,
  )
  expect(done.progress_percentage).toBe(100)
  expect((await hub.printerLog(printerId)).filter(({ kind }) => kind === 'started')).toHaveLength(1)
}, 90_000)

test('a service whose hub hangs ends with 0 in time anyway', async () => {
  const hanging = await farm.createHub('Hanging hub')
  const running = hanging.start()
  const printerId = await hanging.addPrinter()
  const job = await farm.ask<{ id: string }>(201, 'POST', '/jobs', { print_file_id: fileId, printer_id: printerId })
  await farm.ask(200, 'POST', `/jobs/${job.id}/start`)
  await eventually(
    'the job printing',
    () => farm.job(job.id),
    (now) => now.status === 'printing',
  )
  process.kill(running.pid, 'SIGSTOP')
  try {
    const answer = farm.request('POST', `/jobs/${job.id}/pause`).catch(() => undefined)
    await wait(300)
    const startedAt = performance.now()
    expect(await farm.service.stop()).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    await answer
  } finally {
    process.kill(running.pid, 'SIGCONT')
  }
  await farm.startAgain()
  // The command to pause may have reached the printer or not; either way the job follows what the printer does.
  const status = () => farm.ask<{ status: string | null }>(200, 'GET', `/printers/${printerId}/status`)
  await eventually('the hub coming back', status, ({ status }) => status !== null)
  await eventually(
    'the job following',
    async () => [(await farm.job(job.id)).status, (await status()).status],
    // The print may have come to its end by then.
    ([ofJob, ofPrinter]) => ofJob === ofPrinter || (ofJob === 'completed' && ofPrinter === 'idle'),
  )
}, 90_000)

test('a connection that never says hello, nor goodbye, does not hold up the stop', async () => {
  const { token } = await farm.createHub('Mute hub')
  const socket = connect(farm.service.port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    [
      'GET /hub/v1/connect HTTP/1.1',
      'Host: localhost',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`,
      'Sec-WebSocket-Protocol: printyard.hub.v1',
      `Authorization: Bearer ${token}`,
      '\r\n',
    ].join('\r\n'),
  )
  const [head] = (await once(socket, 'data')) as [Buffer]
  expect(head.toString()).toMatch(/^HTTP\/1\.1 101 /)
  expect(await farm.service.stop()).toBe(0)
  socket.destroy()
}, 60_000)
