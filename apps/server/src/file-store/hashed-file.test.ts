import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { LargeBlocks, smallBlocks } from './blocks.ts'
import { HashThread } from './hash-thread.ts'
import { HashedFile } from './hashed-file.ts'

const megabyte = 1 << 20
const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

let folder: string
let thread: HashThread
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'printyard-hashed-'))
  thread = new HashThread()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let files = 0
async function openFile({ by = thread, ownsChunks = false, flags = 'wx', isDirect = false } = {}) {
  files += 1
  const path = join(folder, String(files))
  if (flags === 'r') await writeFile(path, '')
  const file = await open(path, flags)
  onTestFinished(() => file.close())
  return { path, hashed: new HashedFile(file, by, { ownsChunks, directPath: isDirect ? path : undefined }) }
}

/** Adds chunks as they come, and tells the hash of all. */
async function writeAll(hashed: HashedFile, chunks: Buffer[]): Promise<string> {
  try {
    for (const chunk of chunks) await hashed.add(chunk)
    return await hashed.finish()
  } finally {
    await hashed.release()
  }
}

test.each([
  ['nothing', []],
  ['less than a megabyte, which is hashed here', [70_001, 12]],
  ['a megabyte, which a thread hashes', [megabyte - 77, 77]],
  ['more', [65_000, megabyte, megabyte, 12_345]],
  ['one large chunk', [7 * megabyte + 1]],
])('a file of %s has the hash of what was written', async (_, sizes) => {
  const { path, hashed } = await openFile()
  const chunks = sizes.map((size) => randomBytes(size))
  const content = Buffer.concat(chunks)
  expect(await writeAll(hashed, chunks)).toBe(sha256(content))
  expect((await readFile(path)).equals(content)).toBe(true)
})

test('files that are written at the same time do not mix', async () => {
  const all = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const { path, hashed } = await openFile()
      const chunks = Array.from({ length: 4 }, () => randomBytes(megabyte))
      return { path, digest: await writeAll(hashed, chunks), content: Buffer.concat(chunks) }
    }),
  )
  for (const { path, digest, content } of all) {
    expect(digest).toBe(sha256(content))
    expect((await readFile(path)).equals(content)).toBe(true)
  }
})

test.each([300_000, 70_001])('a disk that takes %i bytes of each write gets all of them', async (mostBytes) => {
  const taken: Buffer[] = []
  const told: string[] = []
  const file = {
    fd: -1,
    async writev(buffers: readonly NodeJS.ArrayBufferView[]) {
      const part = Buffer.from(Buffer.concat(buffers as Buffer[]).subarray(0, mostBytes))
      taken.push(part)
      return { bytesWritten: part.length }
    },
    datasync: async () => undefined,
    sync: async () => void told.push(`sync of ${Buffer.concat(taken).length}`),
  }
  const content = randomBytes(megabyte - 5)
  const hashed = new HashedFile(file, thread, { ownsChunks: false })
  const digest = await writeAll(hashed, [content.subarray(0, 400_000), content.subarray(400_000)])
  expect(digest).toBe(sha256(content))
  expect(Buffer.concat(taken).equals(content)).toBe(true)
  expect(taken.length).toBeGreaterThan(3)
  expect(told).toEqual([`sync of ${content.length}`])
})

test('the memory of its own chunks is given back at once, but not what others use too', async () => {
  const lengthsAfter = async (ownsChunks: boolean) => {
    const { path, hashed } = await openFile({ ownsChunks })
    const whole = Buffer.from(new ArrayBuffer(megabyte))
    const part = Buffer.from(new ArrayBuffer(2 * megabyte), megabyte)
    // More than all blocks together.
    const waiting = Buffer.from(new ArrayBuffer(5 * megabyte))
    const sizeBytes = whole.length + part.length + waiting.length
    for (const chunk of [whole, part, waiting]) await hashed.add(chunk)
    const lengths = [whole, part, waiting].map(({ length }) => length)
    await hashed.finish()
    await hashed.release()
    expect((await readFile(path)).length).toBe(sizeBytes)
    return lengths
  }
  expect(await lengthsAfter(true)).toEqual([0, megabyte, 0])
  expect(await lengthsAfter(false)).toEqual([megabyte, megabyte, 5 * megabyte])
})

test('two files past the memory of the system have large blocks at once, each until it is released', async () => {
  const by = new HashThread()
  const begin = async (isDirect = true) => {
    const { path } = await openFile()
    const file = await open(path, 'r+')
    onTestFinished(() => file.close())
    const there = by.begin(file.fd, isDirect ? path : undefined)
    onTestFinished(() => there.forget())
    return there
  }
  const files = await Promise.all([begin(), begin()])
  for (const { blocks } of files) expect(blocks).toBeInstanceOf(LargeBlocks)
  expect((await begin()).blocks).toBe(smallBlocks)
  files[1]?.forget()
  files[1]?.forget()
  expect((await begin(false)).blocks).toBe(smallBlocks)
  expect((await begin()).blocks).toBe(files[0]?.blocks)
  expect((await begin()).blocks).toBe(smallBlocks)
})

test('a thread that has had nothing to do for half a minute ends, and gives the memory of its blocks back', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const by = new HashThread()
  const write = async () => {
    const { path, hashed } = await openFile({ by, isDirect: true })
    const digest = await writeAll(hashed, [Buffer.alloc(megabyte, path)])
    expect(digest).toBe(sha256(await readFile(path)))
  }
  const lookAtBlock = async () => {
    const { path } = await openFile()
    const { blocks, forget } = by.begin(-1, path)
    const block = blocks.take()
    blocks.giveBack(block)
    forget()
    return block
  }
  await write()
  const block = await lookAtBlock()
  vi.advanceTimersByTime(29_000)
  expect(await lookAtBlock()).toBe(block)
  vi.advanceTimersByTime(29_000)
  expect(block.byteLength).toBe(4 * megabyte)
  vi.advanceTimersByTime(1_000)
  expect(block.byteLength).toBe(0)
  await write()
})

describe('what goes wrong', () => {
  test('is told with the code of the system', async () => {
    const { hashed } = await openFile({ flags: 'r' })
    await expect(writeAll(hashed, [randomBytes(megabyte)])).rejects.toMatchObject({ code: 'EBADF' })
  })

  test('a thread that ends fails the files that it had, whole or not at all, and the next file has another', async () => {
    const program = join(folder, 'ends.mjs')
    await writeFile(
      program,
      `import { parentPort } from 'node:worker_threads'
let asks = 0
parentPort.on('message', ({ ask, kind, block }) => { asks += kind === 'write'; if (asks === 5) process.exit(); parentPort.postMessage({ ask, block }, block ? [block] : []) })`,
    )
    const by = new HashThread(pathToFileURL(program))
    const { hashed } = await openFile({ by })
    const other = by.begin(-1, folder)
    const block = other.blocks.take()
    other.blocks.giveBack(block)
    await hashed.add(randomBytes(2 * megabyte))
    const failure = { code: 'SERVICE_UNAVAILABLE' }
    await expect((async () => hashed.add(randomBytes(5 * megabyte)))()).rejects.toMatchObject(failure)
    await expect((async () => hashed.add(randomBytes(megabyte)))()).rejects.toMatchObject(failure)
    await expect(hashed.finish()).rejects.toMatchObject(failure)
    await hashed.release()
    expect(block.byteLength).toBe(4 * megabyte)
    other.forget()
    expect(block.byteLength).toBe(0)
    const { hashed: next } = await openFile({ by })
    await next.add(randomBytes(megabyte))
    expect(await next.finish()).toBe('')
    await next.release()
  })
})

describe('a file that goes past the memory of the system', () => {
  const writeDirect = async (chunks: Buffer[]) => {
    const { path, hashed } = await openFile({ isDirect: true })
    const digest = await writeAll(hashed, chunks)
    return { digest, stored: await readFile(path) }
  }

  test.each([
    ['whole blocks', Array(8).fill(megabyte)],
    ['an end between two pages of the disk', [megabyte, 3 * megabyte, 12_345]],
    ['a byte more', [megabyte, 1]],
    ['chunks that lie across blocks', [3 * megabyte + 70_001, 2 * megabyte - 3, 4 * megabyte]],
  ])('has %s as they were, and their hash', async (_, sizes) => {
    const content = sizes.map((size) => randomBytes(size))
    const { digest, stored } = await writeDirect(content)
    expect(stored.equals(Buffer.concat(content))).toBe(true)
    expect(digest).toBe(sha256(stored))
  })

  test('is one among many', async () => {
    const all = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const content = [randomBytes(megabyte), randomBytes(megabyte), randomBytes(77)]
        return { ...(await writeDirect(content)), content: Buffer.concat(content) }
      }),
    )
    for (const { digest, stored, content } of all) {
      expect(stored.equals(content)).toBe(true)
      expect(digest).toBe(sha256(content))
    }
  })

  test('is flushed on its way where it goes through that memory after all, and there alone', async () => {
    const flushesOf = async (directPath: (path: string) => string | undefined) => {
      const { path } = await openFile()
      const file = await open(path, 'r+')
      onTestFinished(() => file.close())
      let flushes = 0
      const counted = {
        ...{ fd: file.fd, writev: file.writev.bind(file), sync: file.sync.bind(file) },
        datasync: async () => {
          flushes += 1
        },
      }
      const hashed = new HashedFile(counted, thread, { ownsChunks: false, directPath: directPath(path) })
      await writeAll(hashed, [Buffer.alloc(33 * megabyte)])
      return flushes
    }
    expect(await flushesOf(() => undefined)).toBe(1)
    // Of Linux alone.
    expect(await flushesOf((path) => path)).toBe(process.platform === 'linux' ? 0 : 1)
    // A device that has no such way.
    if (process.platform === 'linux') expect(await flushesOf(() => '/dev/null')).toBe(1)
  })

  test('tells that it cannot be opened where it should be', async () => {
    const { path, hashed } = await openFile({ isDirect: true })
    await rm(path)
    await expect(writeAll(hashed, [randomBytes(megabyte)])).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
