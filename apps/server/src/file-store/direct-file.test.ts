import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readdirSync, readlinkSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { smallBlocks } from './blocks.ts'
import { DirectFile } from './direct-file.ts'

const blockBytes = smallBlocks.bytes

async function emptyFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'printyard-direct-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'file')
  await writeFile(path, '')
  return path
}

function openDescriptors(path: string): string[] {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path
    } catch {
      // The one by which the list was read.
      return false
    }
  })
}

function blockOf(content: Uint8Array) {
  const block = smallBlocks.take()
  new Uint8Array(block).set(content)
  return block
}

/** Opens a file both ways, and closes it in the end. */
async function openBothWays() {
  const path = await emptyFile()
  const plain = openSync(path, 'r+')
  onTestFinished(() => closeSync(plain))
  return { path, file: DirectFile.open(path, plain) }
}

describe.runIf(process.platform === 'linux')('a direct file', () => {
  test('has every block where it belongs, of which several are on their way at once, and the size of all', async () => {
    const { path, file } = await openBothWays()
    const content = randomBytes(3 * blockBytes + 4_097)
    const blocks = [0, 1, 2, 3].map((at) => content.subarray(at * blockBytes, (at + 1) * blockBytes))
    await Promise.all(blocks.map((block) => file?.write(blockOf(block), block.length)))
    file?.finish()
    file?.close()
    expect((await readFile(path)).equals(content)).toBe(true)
  })

  test('never has on the disk what its blocks had in them before', async () => {
    const { path, file } = await openBothWays()
    const block = smallBlocks.take()
    new Uint8Array(block).fill(65)
    await file?.write(block, 10)
    expect((await readFile(path)).indexOf('A', 10)).toBe(-1)
    file?.finish()
    file?.close()
    expect((await readFile(path)).toString()).toBe('AAAAAAAAAA')
  })

  test('has a descriptor of its own, and gives it back', async () => {
    const { path, file } = await openBothWays()
    expect(openDescriptors(path)).toHaveLength(2)
    file?.close()
    expect(openDescriptors(path)).toHaveLength(1)
  })

  test('that the disk refuses in the middle goes on as any other', async () => {
    const { path, file } = await openBothWays()
    const content = randomBytes(2 * blockBytes + 5)
    // Other memory of JavaScript begins where no disk takes it from.
    const blocks = [0, 1, 2].map((at) => content.subarray(at * blockBytes, (at + 1) * blockBytes))
    await Promise.all(
      blocks.map((block) => {
        const memory = new ArrayBuffer(blockBytes)
        new Uint8Array(memory).set(block)
        return file?.write(memory, block.length)
      }),
    )
    file?.finish()
    file?.close()
    expect((await readFile(path)).equals(content)).toBe(true)
  })

  test('tells of each write that failed, with the code of the system', async () => {
    const path = await emptyFile()
    const module = (name: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, name)))
    const program = `
      const { openSync } = await import('node:fs')
      const { DirectFile } = await import(${module('direct-file.ts')})
      const { smallBlocks } = await import(${module('blocks.ts')})
      const file = DirectFile.open(${JSON.stringify(path)}, openSync(${JSON.stringify(path)}, 'r+'))
      const codes = []
      for (let block = 0; block < 4; block += 1) {
        codes.push(await file.write(smallBlocks.take(), smallBlocks.bytes).then(() => 'done', ({ code }) => code))
      }
      process.stdout.write(codes.join(' '))`
    // A limit of a MB on files is met as a full disk is.
    const limited = ['-c', 'ulimit -f 1024; exec "$0" "$@"', process.execPath, '--input-type=module', '-e', program]
    const { stdout, stderr } = spawnSync('bash', limited, { encoding: 'utf8', timeout: 30_000 })
    expect(`${stdout}${stderr}`).toBe('done done EFBIG EFBIG')
  })
})
