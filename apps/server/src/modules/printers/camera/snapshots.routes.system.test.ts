import { MAX_STILL_BYTES, STILL_PART_BYTES } from '@printyard/protocol/still'
import { SNAPSHOT_CAPABILITY } from '@printyard/protocol/version'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { farmForAllTests } from '../../../test/app/app-hooks.ts'
import type { TestHub } from '../../../test/farm/test-hub.ts'

let hub: TestHub
let still: Buffer
const { t, farm } = farmForAllTests()
beforeAll(async () => {
  hub = await farm.reconnect(0, [SNAPSHOT_CAPABILITY])
  still = await draw(90)
})

/** A picture of its own for each shade. */
function draw(shade: number): Promise<Buffer> {
  const background = { r: shade, g: 40, b: 40 }
  return sharp({ create: { width: 320, height: 240, channels: 3, background } })
    .jpeg()
    .toBuffer()
}

async function addPrinter(name: string): Promise<string> {
  const body = { name, model: 'MK4S', hub_id: farm.hubId, connection_type: 'virtual' }
  const printerId: string = (await farm.account.request('POST', '/printers', body)).json().data.id
  await hub.waitFor('configure', ({ printers }) => printers.some(({ printer_id }) => printer_id === printerId))
  return printerId
}

const look = (printerId: string, headers?: Record<string, string>) =>
  farm.account.request('GET', `/printers/${printerId}/snapshot`, undefined, headers)

const requestsFor = (printerId: string) =>
  hub.received.filter((message) => message.type === 'snapshot' && message.printer_id === printerId)

const askedFor = async (printerId: string) =>
  (await hub.waitFor('snapshot', ({ printer_id }) => printer_id === printerId)).request_id

function send(request_id: string, printer_id: string, bytes: Buffer): void {
  for (let start = 0; start < bytes.length; start += STILL_PART_BYTES) {
    const end = start + STILL_PART_BYTES
    const data = bytes.subarray(start, end).toString('base64')
    hub.send('still', { request_id, printer_id, data, is_last: end >= bytes.length })
  }
}

test('200 a picture of the camera, which private caches may keep for a second', async () => {
  const printerId = await addPrinter('Filmed')
  const answering = look(printerId)
  send(await askedFor(printerId), printerId, still)
  const answer = await answering
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'cache-control': 'private, max-age=1',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    etag: expect.stringMatching(/^"[\w-]+"$/),
  })
  expect(answer.rawPayload.equals(still)).toBe(true)
})

test('anyone who asks while a picture is on its way gets the same one, and the hub is asked once', async () => {
  const printerId = await addPrinter('Watched by many')
  const answering = [1, 2, 3, 4].map(() => look(printerId))
  send(await askedFor(printerId), printerId, still)
  for (const answer of await Promise.all(answering)) expect(answer.rawPayload.equals(still)).toBe(true)
  expect(requestsFor(printerId)).toHaveLength(1)
})

test('a picture answers for a second, and then the camera is asked again', async () => {
  const printerId = await addPrinter('Watched for long')
  const answering = look(printerId)
  send(await askedFor(printerId), printerId, still)
  await answering
  const later = await draw(160)
  hub.showStill(later)
  await expect.poll(async () => (await look(printerId)).rawPayload.equals(later), { interval: 200 }).toBe(true)
  hub.showStill(undefined)
  // Between the two no one asked the camera.
  expect(requestsFor(printerId)).toHaveLength(2)
})

test('304 for who has the picture already', async () => {
  const printerId = await addPrinter('Unchanged')
  const answering = look(printerId)
  send(await askedFor(printerId), printerId, still)
  const { etag } = (await answering).headers
  // Either it is still fresh, or the hub sends the same again.
  hub.showStill(still)
  const answer = await look(printerId, { 'if-none-match': String(etag) })
  hub.showStill(undefined)
  expect(answer.statusCode).toBe(304)
  expect(answer.rawPayload).toHaveLength(0)
})

test('a picture of many parts arrives as it was sent', async () => {
  const printerId = await addPrinter('Finely filmed')
  const large = Buffer.concat([still.subarray(0, -2), Buffer.alloc(1_500_000, 7), still.subarray(-2)])
  const answering = look(printerId)
  send(await askedFor(printerId), printerId, large)
  expect((await answering).rawPayload.equals(large)).toBe(true)
})

describe('without a picture the answer says why', () => {
  test.each([
    ['NOT_SUPPORTED', 'not_supported', 400, 'COMMAND_NOT_SUPPORTED'],
    ['CAMERA_OFF', 'camera_off', 400, 'COMMAND_NOT_SUPPORTED'],
    ['CAMERA_REFUSED', 'camera_refused', 400, 'COMMAND_NOT_SUPPORTED'],
    ['TOO_LARGE', 'too_large', 400, 'COMMAND_NOT_SUPPORTED'],
    ['CAMERA_UNREACHABLE', 'camera_unreachable', 503, 'HUB_COMMAND_FAILED'],
    ['TIMEOUT', 'timeout', 503, 'HUB_COMMAND_FAILED'],
  ] as const)('%s', async (code, reason, status, errorCode) => {
    const printerId = await addPrinter(`Unfilmed, ${reason}`)
    const answering = look(printerId)
    const request_id = await askedFor(printerId)
    hub.send('no_still', { request_id, printer_id: printerId, code, message: 'the camera is dark' })
    const answer = await answering
    expect(answer.statusCode).toBe(status)
    expect(answer.json().error).toMatchObject({
      code: errorCode,
      message: expect.stringContaining('the camera is dark'),
      details: { reason },
    })
  })

  test('what a hub calls a picture and is none', async () => {
    const printerId = await addPrinter('Deceived')
    const answering = look(printerId)
    send(await askedFor(printerId), printerId, Buffer.from('<script>alert(1)</script>'))
    expect((await answering).json().error.details).toEqual({ reason: 'not_a_picture' })
  })

  test('a picture that is too large is not waited for to its end', async () => {
    const printerId = await addPrinter('Drowned')
    const answering = look(printerId)
    const request_id = await askedFor(printerId)
    const data = Buffer.alloc(STILL_PART_BYTES).toString('base64')
    for (let sent = 0; sent <= MAX_STILL_BYTES; sent += STILL_PART_BYTES) {
      hub.send('still', { request_id, printer_id: printerId, data, is_last: false })
    }
    expect((await answering).json().error.details).toEqual({ reason: 'too_large' })
  })

  test('parts under the name of another printer are not taken for its own', async () => {
    const [printerId, other] = [await addPrinter('One'), await addPrinter('Other')]
    const answering = look(printerId)
    const request_id = await askedFor(printerId)
    send(request_id, other, await draw(200))
    send(request_id, printerId, still)
    expect((await answering).rawPayload.equals(still)).toBe(true)
  })

  test('a hub that leaves without an answer', async () => {
    const printerId = await addPrinter('Left behind')
    const answering = look(printerId)
    await askedFor(printerId)
    await hub.close()
    expect((await answering).json().error).toMatchObject({
      code: 'HUB_COMMAND_FAILED',
      details: { reason: 'hub_lost' },
    })
    await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
    expect((await look(printerId)).json().error.code).toBe('HUB_OFFLINE')
    hub = await farm.reconnect(0, [SNAPSHOT_CAPABILITY])
  })

  test('a hub from before there were pictures is not asked', async () => {
    const printerId = await addPrinter('Behind the times')
    hub = await farm.reconnect(0, [])
    expect((await look(printerId)).json().error).toMatchObject({ details: { reason: 'not_supported' } })
    expect(requestsFor(printerId)).toHaveLength(0)
    hub = await farm.reconnect(0, [SNAPSHOT_CAPABILITY])
  })
})

test('400 a printer without a hub has no camera to ask', async () => {
  const body = { name: 'Alone', model: 'MK4S', connection_type: 'virtual' }
  const { id } = (await farm.account.request('POST', '/printers', body)).json().data
  expect((await look(id)).json().error.code).toBe('NO_HUB_ASSIGNED')
})

test("404 another account's printer is no one's, however fresh its picture", async () => {
  const printerId = await addPrinter('Private')
  const answering = look(printerId)
  send(await askedFor(printerId), printerId, still)
  await answering
  const stranger = await t.account()
  const answer = await stranger.request('GET', `/printers/${printerId}/snapshot`)
  expect(answer.statusCode).toBe(404)
})
