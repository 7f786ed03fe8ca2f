import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { BlockWriter } from './block-writer.ts'
import { type Blocks, LargeBlocks, smallBlocks } from './blocks.ts'

const megabyte = 1 << 20
const chunkBytes = 65_536
const blockBytes = smallBlocks.bytes

/** A file on a disk that takes a block only when it is let. */
function slowFile({ waits = false } = {}) {
  const taken: Buffer[] = []
  const held: (() => void)[] = []
  const told: string[] = []
  const blocks = new Set<ArrayBuffer>()
  return {
    told,
    blocks,
    content: () => Buffer.concat(taken),
    takenBytes: () => taken.reduce((sum, { length }) => sum + length, 0),
    letOne: () => held.shift()?.(),
    async write(block: ArrayBuffer, bytes: number) {
      blocks.add(block)
      if (waits) await new Promise<void>((resolve) => held.push(resolve))
      taken.push(Buffer.from(block.slice(0, bytes)))
      return block
    },
    async datasync() {
      told.push(`datasync after ${taken.reduce((sum, { length }) => sum + length, 0) / megabyte}`)
    },
  }
}

const chunksOf = (content: Buffer, size: number) =>
  Array.from({ length: Math.ceil(content.length / size) }, (_, index) =>
    content.subarray(index * size, (index + 1) * size),
  )

function numbered(bytes: number): Buffer {
  const content = Buffer.alloc(bytes)
  for (let at = 0; at + 4 <= bytes; at += 4) content.writeUInt32LE(at, at)
  return content
}

describe('a block writer', () => {
  test.each([
    ['of a connection', chunkBytes],
    ['that lie across blocks', 70_001],
    ['larger than all blocks together', 20 * megabyte],
    ['of other bytes each', 65_521],
  ])('writes every byte of chunks %s once, in order', async (_, size) => {
    for (const blocks of [smallBlocks, new LargeBlocks()]) {
      const content = numbered(21 * megabyte + 12_345)
      const file = slowFile()
      const writer = new BlockWriter(file, blocks)
      for (const chunk of chunksOf(content, size)) await writer.add(chunk)
      await writer.finish()
      expect(file.content().equals(content)).toBe(true)
      await writer.release()
    }
  })

  test('takes a copy at once while there is room, and the caller may change its chunk then', async () => {
    const file = slowFile()
    const writer = new BlockWriter(file, smallBlocks)
    const chunk = Buffer.alloc(1_000, 'a')
    expect(writer.add(chunk)).toBeUndefined()
    chunk.fill('b')
    await writer.finish()
    expect(file.content().toString()).toBe('a'.repeat(1_000))
  })

  test.each([
    ['small blocks', smallBlocks],
    ['large blocks', new LargeBlocks()],
  ])('has no more than four %s in memory, however slow the disk is, and uses them again', async (_, from: Blocks) => {
    const { bytes } = from
    const file = slowFile({ waits: true })
    const writer = new BlockWriter(file, from)
    const content = numbered(12 * bytes)
    let addedBytes = 0
    const all = (async () => {
      for (const chunk of chunksOf(content, chunkBytes)) {
        await writer.add(chunk)
        addedBytes += chunk.length
      }
      await writer.finish()
    })()
    for (let turn = 0; turn < 1_000; turn += 1) await nextTurn()
    expect(addedBytes).toBe(4 * bytes)
    for (let turn = 0; turn < 1_000 && file.takenBytes() < content.length; turn += 1) {
      file.letOne()
      await nextTurn()
    }
    await all
    expect(file.content().equals(content)).toBe(true)
    expect(file.blocks.size).toBe(4)
  })

  test('gives the memory of its blocks back in the end, written or not', async () => {
    const file = slowFile()
    const writer = new BlockWriter(file, smallBlocks)
    await writer.add(Buffer.alloc(2 * blockBytes))
    await nextTurn()
    await writer.add(Buffer.alloc(blockBytes + 1))
    const blocks = [...file.blocks]
    expect(blocks.map(({ byteLength }) => byteLength)).toContain(blockBytes)
    await writer.release()
    expect(blocks.map(({ byteLength }) => byteLength)).toEqual(blocks.map(() => 0))
  })

  test('gives large blocks back for the next file, those that were not written as well', async () => {
    const blocks = new LargeBlocks()
    const first = slowFile()
    const writer = new BlockWriter(first, blocks)
    await writer.add(numbered(blocks.bytes))
    await writer.add(Buffer.alloc(1))
    await writer.release()
    const second = slowFile()
    const next = new BlockWriter(second, blocks)
    await next.add(numbered(2 * blocks.bytes))
    await next.finish()
    expect([...second.blocks]).toEqual(expect.arrayContaining([...first.blocks]))
    await next.release()
    expect(new Set([blocks.take(), blocks.take()])).toEqual(second.blocks)
  })

  test('is released only when nothing is being written any more', async () => {
    const file = slowFile({ waits: true })
    const writer = new BlockWriter(file, smallBlocks)
    await writer.add(Buffer.alloc(blockBytes))
    let isReleased = false
    const released = writer.release().then(() => {
      isReleased = true
    })
    for (let turn = 0; turn < 5; turn += 1) await nextTurn()
    expect(isReleased).toBe(false)
    file.letOne()
    await released
    expect(file.takenBytes()).toBe(blockBytes)
  })

  test('has the disk take what was written long before the end', async () => {
    const file = slowFile()
    const writer = new BlockWriter(file, smallBlocks)
    for (let part = 0; part < 70; part += 1) {
      await writer.add(Buffer.alloc(megabyte))
      await nextTurn()
    }
    await writer.finish()
    expect(file.told).toHaveLength(2)
    expect(file.told).toEqual([
      expect.stringMatching(/^datasync after 3[12]/),
      expect.stringMatching(/^datasync after 6[34]/),
    ])
  })

  test('tells of a block that the disk did not take at a later chunk, or at the end', async () => {
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    const file = { ...slowFile(), write: () => Promise.reject(full) }
    const writer = new BlockWriter(file, smallBlocks)
    await writer.add(Buffer.alloc(blockBytes))
    await nextTurn()
    expect(() => writer.add(Buffer.alloc(1))).toThrow(full)

    const waiting = new BlockWriter(file, smallBlocks)
    await expect(waiting.add(Buffer.alloc(5 * blockBytes))).rejects.toBe(full)

    const last = new BlockWriter(file, smallBlocks)
    await last.add(Buffer.alloc(10))
    await expect(last.finish()).rejects.toBe(full)
    await last.release()
  })

  test('does not forget a flush that failed on the way: the system tells of it once', async () => {
    const damaged = Object.assign(new Error('input or output error'), { code: 'EIO' })
    let flushes = 0
    const file = {
      ...slowFile(),
      datasync: () => {
        flushes += 1
        return Promise.reject(damaged)
      },
    }
    const writer = new BlockWriter(file, smallBlocks)
    for (let part = 0; part < 80; part += 1) await writer.add(Buffer.alloc(megabyte))
    await expect(writer.finish()).rejects.toBe(damaged)
    expect(flushes).toBe(1)
    await writer.release()
  })
})
