import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { BlockWriter } from './block-writer.ts'

const megabyte = 1 << 20

/** A file on a disk that takes a block only when it is let. */
function slowFile({ waits = false } = {}) {
  const taken: Buffer[] = []
  const held: (() => void)[] = []
  const told: string[] = []
  return {
    told,
    content: () => Buffer.concat(taken),
    letOne: () => held.shift()?.(),
    held,
    async write(block: Buffer[]) {
      if (waits) await new Promise<void>((resolve) => held.push(resolve))
      taken.push(Buffer.concat(block))
    },
    async datasync() {
      told.push(`datasync after ${taken.length}`)
    },
    async sync() {
      told.push('sync')
    },
  }
}

const chunksOf = (content: Buffer, size: number) =>
  Array.from({ length: Math.ceil(content.length / size) }, (_, index) =>
    content.subarray(index * size, (index + 1) * size),
  )

describe('a block writer', () => {
  test('every byte is written once, in order, and is on the disk in the end', async () => {
    const content = Buffer.alloc(3 * megabyte + 12_345)
    for (let at = 0; at < content.length; at += 4) content.writeUInt32LE(at, Math.min(at, content.length - 4))
    const file = slowFile()
    const writer = new BlockWriter(file)
    for (const chunk of chunksOf(content, 65_536)) await writer.add(chunk)
    await writer.finish()
    expect(file.content().equals(content)).toBe(true)
    expect(file.told.at(-1)).toBe('sync')
  })

  test('no more than two blocks are in memory, however slow the disk is', async () => {
    const file = slowFile({ waits: true })
    const writer = new BlockWriter(file)
    let added = 0
    const all = (async () => {
      for (; added < 5 * 16; added += 1) await writer.add(Buffer.alloc(65_536))
      await writer.finish()
    })()
    for (let turn = 0; turn < 100; turn += 1) await nextTurn()
    // One is being written, one is whole and waits.
    expect(added).toBeLessThan(2 * 16)
    for (let turn = 0; turn < 1_000 && file.content().length < 5 * megabyte; turn += 1) {
      file.letOne()
      await nextTurn()
    }
    await all
    expect(file.content()).toHaveLength(5 * megabyte)
  })

  test('the disk is told to take what was written long before the end', async () => {
    const file = slowFile()
    const writer = new BlockWriter(file)
    for (let part = 0; part < 70; part += 1) await writer.add(Buffer.alloc(megabyte))
    await writer.finish()
    expect(file.told).toEqual(['datasync after 32', 'datasync after 64', 'sync'])
  })

  test('a block that the disk did not take is told of at a later one, or at the end', async () => {
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    const file = { ...slowFile(), write: () => Promise.reject(full) }
    const writer = new BlockWriter(file)
    await writer.add(Buffer.alloc(megabyte))
    await nextTurn()
    await expect(writer.add(Buffer.alloc(megabyte))).rejects.toBe(full)

    const last = new BlockWriter(file)
    await last.add(Buffer.alloc(10))
    await expect(last.finish()).rejects.toBe(full)
    await last.settle()
  })

  test('a flush that failed on the way is not forgotten: the system tells of it once', async () => {
    const damaged = Object.assign(new Error('input or output error'), { code: 'EIO' })
    const file = { ...slowFile(), datasync: () => Promise.reject(damaged) }
    const writer = new BlockWriter(file)
    for (let part = 0; part < 40; part += 1) await writer.add(Buffer.alloc(megabyte))
    await expect(writer.finish()).rejects.toBe(damaged)
    await writer.settle()
  })
})
