import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LargeBlocks, smallBlocks } from './blocks.ts'

// A disk that takes nothing so refuses to open a file for it.
test.runIf(process.platform === 'linux').each([
  ['small', smallBlocks],
  ['large', new LargeBlocks()],
])('the memory of a %s block begins where disks take it from', async (_, blocks) => {
  const folder = await mkdtemp(join(tmpdir(), 'printyard-block-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_DIRECT
  const fd = openSync(join(folder, 'file'), flags)
  onTestFinished(() => closeSync(fd))
  const block = blocks.take()
  expect(writeSync(fd, new Uint8Array(block))).toBe(blocks.bytes)
  // It is the same memory in another thread.
  const there = structuredClone(block, { transfer: [block] })
  expect(writeSync(fd, new Uint8Array(there))).toBe(blocks.bytes)
})

test('the memory of a small block is given back at once', () => {
  const block = smallBlocks.take()
  smallBlocks.giveBack(block)
  expect(block.byteLength).toBe(0)
})

test('a large block that was given back is taken again, until its memory is freed', () => {
  const blocks = new LargeBlocks()
  const [first, second] = [blocks.take(), blocks.take()]
  expect(second).not.toBe(first)
  blocks.giveBack(first)
  expect(blocks.take()).toBe(first)
  blocks.giveBack(first)
  blocks.free()
  expect([first.byteLength, second.byteLength]).toEqual([0, blocks.bytes])
  expect(blocks.take().byteLength).toBe(blocks.bytes)
})
