import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DirectFile, DirectMemory } from './direct-file.ts'

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

describe.runIf(process.platform === 'linux')('a direct file', () => {
  test('takes memory and descriptors, and gives both back', async () => {
    const memory = new DirectMemory()
    const path = await emptyFile()
    for (let count = 0; count < 7; count += 1) expect(memory.take()).toBeDefined()
    const file = DirectFile.open(path, memory)
    expect(openDescriptors(path)).toHaveLength(2)
    expect(memory.take()).toBeUndefined()
    expect(DirectFile.open(path, memory)).toBeUndefined()
    expect(openDescriptors(path)).toHaveLength(2)
    const content = randomBytes((3 << 20) + 4_097)
    await file?.add(content)
    await file?.finish()
    await file?.close()
    expect((await readFile(path)).equals(content)).toBe(true)
    expect(openDescriptors(path)).toEqual([])
    expect(memory.take()).toBeDefined()
  })

  test('that the disk refuses in the middle goes on as any other', async () => {
    const path = await emptyFile()
    // Memory of JavaScript begins where no disk takes it from.
    const memory = { take: () => new ArrayBuffer(2 << 20), giveBack: () => undefined }
    const file = DirectFile.open(path, memory)
    const content = randomBytes((2 << 20) + 5)
    await file?.add(content)
    await file?.finish()
    await file?.close()
    expect((await readFile(path)).equals(content)).toBe(true)
  })

  test('of which a write failed tells so at the next one, and in the end', async () => {
    const path = await emptyFile()
    const program = `
      const { DirectFile, DirectMemory } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'direct-file.ts')))})
      const file = DirectFile.open(${JSON.stringify(path)}, new DirectMemory())
      const codeOf = (work) => work().then(() => 'done', ({ code }) => code)
      const block = new Uint8Array(1 << 20)
      const codes = []
      for (let part = 0; part < 4; part += 1) codes.push(await codeOf(() => file.add(block)))
      codes.push(await codeOf(() => file.finish()))
      await file.close()
      process.stdout.write(codes.join(' '))`
    // A limit of 1.5 MB on files is met as a full disk is.
    const limited = ['-c', 'ulimit -f 1500; exec "$0" "$@"', process.execPath, '--input-type=module', '-e', program]
    const { stdout, stderr } = spawnSync('bash', limited, { encoding: 'utf8', timeout: 30_000 })
    expect(`${stdout}${stderr}`).toBe('done done EFBIG EFBIG EFBIG')
  })
})
