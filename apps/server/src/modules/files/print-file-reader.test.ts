import { afterEach, expect, test } from 'vitest'
import type { AccountId } from '../../kernel/ids.ts'
import { createPrintFileReader, type PrintFileReader, type PrintFileReaderOptions } from './print-file-reader.ts'

/** A worker that obeys the path it is given: hang, crash, eat memory, or answer with its own thread's number. */
const obedientWorker = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads'
    parentPort.on('message', async ({ path }) => {
      if (path === 'hang') for (;;);
      if (path === 'crash') throw new Error('crashed')
      if (path === 'exit') process.exit(0)
      if (path === 'eat') { const eaten = []; for (;;) eaten.push(new Array(1e5).fill(eaten.length)) }
      if (path === 'slow') await new Promise((resolve) => setTimeout(resolve, 300))
      if (path === 'refuse') return parentPort.postMessage({ outcome: 'refused', reason: 'no.' })
      if (path === 'disk') return parentPort.postMessage({ outcome: 'unreadable', reason: '/secret/path' })
      parentPort.postMessage({ outcome: 'read', reading: threadId })
    })`)}`,
)

let reader: PrintFileReader | undefined
afterEach(() => reader?.close())

function start(options: PrintFileReaderOptions = {}) {
  const started = createPrintFileReader({ workerUrl: obedientWorker, maxWorkers: 1, ...options })
  reader = started
  return {
    read: (path: string, accountId = 'acc_1') => started.read({ accountId: accountId as AccountId, path }),
    close: () => started.close(),
  }
}

test('one worker reads one file after another', async () => {
  const { read } = start()
  const threads = await Promise.all([read('a'), read('b'), read('c')])
  expect(new Set(threads).size).toBe(1)
})

test('a worker that hangs is ended after the time limit, the file is refused, and the next one is read', async () => {
  // Within the limit a busy machine also starts the thread of the next file.
  const { read } = start({ timeLimitMs: 1_500 })
  const hanging = read('hang')
  const next = read('a')
  await expect(hanging).rejects.toMatchObject({ code: 'INVALID_FILE', message: expect.stringContaining('1.5 s') })
  await expect(next).resolves.toEqual(expect.any(Number))
})

test.each(['crash', 'exit'])(
  'after a %s the reader is our problem and the next file is read by another',
  async (how) => {
    const { read } = start()
    const first = await read('a')
    await expect(read(how)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    const second = await read('a')
    expect(second).not.toBe(first)
  },
)

test('a file that needs too much memory is refused and takes nothing else along', async () => {
  const { read } = start({ maxHeapMb: 32 })
  await expect(read('eat')).rejects.toMatchObject({ code: 'INVALID_FILE', message: expect.stringContaining('memory') })
  await expect(read('a')).resolves.toEqual(expect.any(Number))
})

test('a disk that fails is not the fault of the file, and its path stays inside', async () => {
  const { read } = start()
  await expect(read('refuse')).rejects.toMatchObject({ code: 'INVALID_FILE', message: expect.stringContaining('no.') })
  const error = await read('disk').catch((thrown: unknown) => thrown as Error)
  expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect((error as Error).message).not.toContain('/secret/path')
})

test('more files than may wait are turned away at once, and those that wait too long later', async () => {
  const { read } = start({ maxWaiting: 1, maxWaitMs: 50 })
  const slow = read('slow')
  const waiting = read('a')
  await expect(read('b')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 10 })
  await expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await expect(slow).resolves.toEqual(expect.any(Number))
})

test('an idle worker ends, and another is made when it is needed', async () => {
  const { read } = start({ idleMs: 10 })
  const first = await read('a')
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(await read('a')).not.toBe(first)
})

test('closing rejects what is being read and what waits', async () => {
  const { read, close } = start()
  const outcomes = Promise.allSettled([read('hang'), read('a')])
  await close()
  for (const outcome of await outcomes) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } })
  }
  await expect(read('a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('a slow file holds up the files of its own account, and none of another', async () => {
  const { read, close } = start()
  const own = Promise.allSettled([read('hang', 'acc_slow'), read('a', 'acc_slow')])
  await expect(read('a', 'acc_2')).resolves.toEqual(expect.any(Number))
  await expect(read('b', 'acc_3')).resolves.toEqual(expect.any(Number))
  await close()
  expect((await own).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('accounts take turns: one file does not wait for all those of another account', async () => {
  const { read } = start({ extraWorkers: 0 })
  const order: string[] = []
  const note = (name: string) => () => order.push(name)
  await Promise.all([
    ...['a1', 'a2', 'a3'].map((name) => read('slow', 'acc_a').then(note(name))),
    read('slow', 'acc_b').then(note('b1')),
  ])
  expect(order.indexOf('b1')).toBeLessThanOrEqual(1)
})

test('what one account may have waiting says nothing of another', async () => {
  const { read } = start({ maxWaiting: 1, extraWorkers: 0 })
  const first = [read('slow', 'acc_a'), read('a', 'acc_a')]
  await expect(read('b', 'acc_a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await expect(read('b', 'acc_b')).resolves.toEqual(expect.any(Number))
  await Promise.all(first)
})
