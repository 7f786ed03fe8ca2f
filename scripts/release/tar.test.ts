import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { below, entriesOf, tarOf } from './tar.mjs'

const folders: string[] = []
const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'printyard-tar-'))
  folders.push(folder)
  return folder
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

const deep = `${'a-rather-long-name/'.repeat(8)}file.txt`

function makeSources(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, deep, '..'), { recursive: true })
  writeFileSync(join(folder, deep), 'deep')
  writeFileSync(join(folder, 'run.sh'), 'exit 0', { mode: 0o700 })
  writeFileSync(join(folder, 'block'), Buffer.alloc(512, 'x'))
  writeFileSync(join(folder, 'empty'), '')
  writeFileSync(join(folder, 'left-out.log'), 'log')
  symlinkSync('run.sh', join(folder, 'link'))
  return folder
}

test('tar reads what was written: long names, links, modes and owners', () => {
  const sources = makeSources()
  const archive = join(temporaryFolder(), 'all.tar')
  const entries = below(
    'top/app',
    entriesOf(sources, (name) => name.endsWith('.log')),
  )
  const own = { name: 'data', mode: 0o700, isFolder: true as const, uid: 10_001 }
  writeFileSync(archive, Buffer.concat([...tarOf([...entries, own], 1_700_000_000)]))

  const out = temporaryFolder()
  execFileSync('tar', ['-xf', archive, '-C', out, '--no-same-owner'])
  expect(readFileSync(join(out, 'top/app', deep), 'utf8')).toBe('deep')
  expect(readFileSync(join(out, 'top/app/block'))).toEqual(Buffer.alloc(512, 'x'))
  expect(readFileSync(join(out, 'top/app/empty'), 'utf8')).toBe('')
  const list = execFileSync('tar', ['-tvf', archive, '--numeric-owner', '--utc'], { encoding: 'utf8' })
  expect(list).toMatch(/^-rwxr-xr-x 0\/0 +6 2023-11-14 22:13 top\/app\/run.sh$/m)
  expect(list).toMatch(/^lrwxrwxrwx 0\/0 +0 2023-11-14 22:13 top\/app\/link -> run.sh$/m)
  expect(list).toMatch(/^drwx------ 10001\/10001 +0 2023-11-14 22:13 data\/$/m)
  expect(list).not.toContain('left-out')
})

test('the archive of the same contents is the same, whenever and in whichever order they were written', () => {
  const bytes = [makeSources(), makeSources()].map((sources, index) => {
    utimesSync(join(sources, 'empty'), index, index)
    return Buffer.concat([...tarOf(entriesOf(sources), 1)])
  })
  expect(bytes[0]).toEqual(bytes[1])
})

test('a name that stands twice is refused, a folder that two lists bring is written once', () => {
  const folder = { name: 'usr', mode: 0o755, isFolder: true as const }
  const file = { name: 'usr/a', mode: 0o644, content: Buffer.from('a') }
  expect(() => [...tarOf([file, file], 1)]).toThrow('usr/a stands twice')
  expect(Buffer.concat([...tarOf([folder, file, folder], 1)])).toEqual(Buffer.concat([...tarOf([folder, file], 1)]))
})
