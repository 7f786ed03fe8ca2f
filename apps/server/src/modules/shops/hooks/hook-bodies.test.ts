import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { HookBodies } from './hook-bodies.ts'

const kilobyte = 1024
const limits = { longest: 1024 * kilobyte, heldByNetwork: 1500 * kilobyte, held: 4000 * kilobyte, perMinute: 1e9 }
const part = Buffer.alloc(500 * kilobyte)

/** A body of so many parts that does not end. */
async function begin(bodies: HookBodies, network: string, parts: number) {
  const content = new PassThrough({ highWaterMark: 1e9 })
  const read = bodies.read(network, content)
  let code: string | undefined
  read.catch((error: { code?: string }) => {
    code = error.code ?? 'broken off'
  })
  for (let count = 0; count < parts; count += 1) content.write(part)
  await new Promise((resolve) => setTimeout(resolve, 1))
  return { content, read, refusal: () => code }
}

test('a body is in memory from its first byte until it is used no more', async () => {
  const bodies = new HookBodies(limits)
  const { content, read } = await begin(bodies, '192.0.2.1', 1)
  expect(bodies.total).toBe(part.length)
  content.end('end')
  const { body, end } = await read
  expect([body.length, bodies.total]).toEqual([part.length + 3, part.length + 3])
  end()
  end()
  expect(bodies.total).toBe(0)
})

test('one that is too long is refused once it is, and no more of it is kept', async () => {
  const bodies = new HookBodies(limits)
  expect((await begin(bodies, '192.0.2.1', 3)).refusal()).toBe('PAYLOAD_TOO_LARGE')
  expect(bodies.total).toBe(0)
})

test('one that breaks off is kept no longer', async () => {
  const bodies = new HookBodies(limits)
  const { content, refusal } = await begin(bodies, '192.0.2.1', 1)
  content.destroy()
  await expect.poll(refusal).toBe('broken off')
  expect(bodies.total).toBe(0)
})

test('one network has so much in memory, whatever others have', async () => {
  const bodies = new HookBodies(limits)
  const first = await begin(bodies, '192.0.2.1', 2)
  const second = await begin(bodies, '192.0.2.1', 2)
  const other = await begin(bodies, '192.0.2.2', 2)
  expect([first, second, other].map(({ refusal }) => refusal())).toEqual([undefined, 'RATE_LIMITED', undefined])
  expect(bodies.total).toBe(4 * part.length)
})

test('when all have too much, the network that has the most gives way, and not who came last', async () => {
  const bodies = new HookBodies(limits)
  const small = await Promise.all([1, 2, 3, 4, 5].map((host) => begin(bodies, `192.0.2.${host}`, 1)))
  const large = await begin(bodies, '192.0.2.9', 2)
  const late = [await begin(bodies, '192.0.2.10', 1), await begin(bodies, '192.0.2.11', 1)]
  expect(large.refusal()).toBe('RATE_LIMITED')
  expect([...small, ...late].map(({ refusal }) => refusal())).toEqual(Array.from({ length: 7 }, () => undefined))
})

test('a network may send so much in a minute', async () => {
  const bodies = new HookBodies({ ...limits, perMinute: 1600 * kilobyte })
  for (let count = 0; count < 3; count += 1) {
    const { content, read } = await begin(bodies, '192.0.2.1', 1)
    content.end()
    ;(await read).end()
  }
  const fourth = await begin(bodies, '192.0.2.1', 1)
  expect(fourth.refusal()).toBe('RATE_LIMITED')
  await expect(fourth.read).rejects.toMatchObject({ retryAfterSeconds: expect.any(Number) })
  expect((await begin(bodies, '192.0.2.2', 1)).refusal()).toBeUndefined()
})
