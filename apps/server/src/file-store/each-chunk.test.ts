import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { eachChunk } from './each-chunk.ts'

const chunks = ['one', 'two', 'three', 'four'].map((text) => Buffer.from(text))

/** Chunks that were taken, each of which was waited for when it is told so. */
function taker({ isSlow = false } = {}) {
  const taken: string[] = []
  let atWork = 0
  let mostAtWork = 0
  const take = (chunk: Buffer) => {
    atWork += 1
    mostAtWork = Math.max(mostAtWork, atWork)
    taken.push(chunk.toString())
    if (!isSlow) {
      atWork -= 1
      return undefined
    }
    return nextTurn().then(() => {
      atWork -= 1
    })
  }
  return { taken, take, atWork: () => atWork, mostAtWork: () => mostAtWork }
}

test.each([false, true])('every chunk is taken in its order, one after another (slow: %s)', async (isSlow) => {
  const { taken, take, atWork, mostAtWork } = taker({ isSlow })
  await eachChunk(Readable.from(chunks), take)
  expect(taken).toEqual(['one', 'two', 'three', 'four'])
  expect(mostAtWork()).toBe(1)
  expect(atWork()).toBe(0)
})

test('a stream without a chunk ends, and so does one that had ended before', async () => {
  const { taken, take } = taker()
  const content = Readable.from([])
  await eachChunk(content, take)
  await eachChunk(content, take)
  expect(taken).toEqual([])
})

test('while a chunk is being taken no more is read than the stream holds by itself', async () => {
  let made = 0
  const content = new Readable({
    highWaterMark: 2_000,
    read() {
      made += 1
      this.push(made > 50 ? null : Buffer.alloc(1_000))
    },
  })
  const held = Promise.withResolvers<void>()
  const all = eachChunk(content, () => held.promise)
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
  expect(made).toBeLessThan(5)
  held.resolve()
  await all
  expect(made).toBe(51)
})

test.each([
  [
    'throws',
    () => {
      throw new Error('full')
    },
  ],
  ['rejects', () => Promise.reject(new Error('full'))],
])('what %s at a chunk ends the reading, and the stream survives', async (_, fail) => {
  const content = new PassThrough()
  let tries = 0
  const all = eachChunk(content, () => {
    tries += 1
    return fail()
  })
  for (const chunk of chunks) content.write(chunk)
  await expect(all).rejects.toThrow('full')
  for (let turn = 0; turn < 5; turn += 1) await nextTurn()
  expect(tries).toBe(1)
  expect(content.destroyed).toBe(false)
  expect(content.isPaused()).toBe(true)
  // What is left can be read and dropped.
  content.end()
  content.resume()
  await once(content, 'end')
})

test.each([
  ['breaks', new Error('reset'), 'reset'],
  ['is closed', undefined, 'Premature close'],
])('a stream that %s rejects once nothing is being taken any more', async (_, cause, message) => {
  const content = new PassThrough()
  content.on('error', () => undefined)
  const held = Promise.withResolvers<void>()
  let isRejected = false
  const all = eachChunk(content, () => held.promise).catch((error: Error) => {
    isRejected = true
    return error.message
  })
  content.write(chunks[0])
  await nextTurn()
  content.destroy(cause)
  for (let turn = 0; turn < 5; turn += 1) await nextTurn()
  expect(isRejected).toBe(false)
  held.resolve()
  expect(await all).toBe(message)
})

test('a client that goes away in the middle of its request is told of', async () => {
  const asked = Promise.withResolvers<IncomingMessage>()
  const server = createServer((incoming) => asked.resolve(incoming)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = request({ port, host: '127.0.0.1', method: 'PUT', headers: { 'content-length': 1_000 } })
  client.on('error', () => undefined)
  client.write('a beginning')
  const { taken, take } = taker()
  const content = await asked.promise
  content.on('error', () => undefined)
  const all = eachChunk(content, take)
  while (taken.length === 0) await nextTurn()
  client.destroy()
  await expect(all).rejects.toThrow('aborted')
  expect(taken).toEqual(['a beginning'])
})
