import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory } from '@printyard/server/test/run/temporary-directory'
import { expect, test } from 'vitest'
import { RotatingFile } from './rotating-file.ts'

const limits = { maxBytes: 2_000, files: 3 }
const failures: string[] = []
const reports = {
  onFailure: (error: Error) => void failures.push(error.message),
  lostLine: (count: number) => `${JSON.stringify({ lines_lost: count })}\n`,
}

function numbersIn(path: string): number[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).number)
}

test('files stay within their size and number, and hold the newest lines without a gap', async () => {
  const path = join(temporaryDirectory(), 'logs', 'service.log')
  const file = new RotatingFile(path, limits, reports)
  for (let number = 0; number < 1_000; number += 1) {
    file.write(`${JSON.stringify({ number, text: 'x'.repeat(50) })}\n`)
    if (number % 7 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await file.close()
  expect(readdirSync(join(path, '..')).sort()).toEqual(['service.log', 'service.log.1', 'service.log.2'])
  const all = [`${path}.2`, `${path}.1`, path]
  for (const each of all) expect(statSync(each).size).toBeLessThanOrEqual(limits.maxBytes)
  expect(statSync(`${path}.1`).size).toBeGreaterThan(limits.maxBytes - 100)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const kept = all.flatMap(numbersIn)
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => 1_000 - kept.length + index))
  expect(failures).toEqual([])
})

test('a smaller number of files removes the rest at the next start, and nothing else', async () => {
  const folder = temporaryDirectory()
  const path = join(folder, 'hub.log')
  for (const name of ['hub.log', 'hub.log.1', 'hub.log.2', 'hub.log.7', 'hub.log.old', 'other.log.9']) {
    writeFileSync(join(folder, name), 'x\n')
  }
  await new RotatingFile(path, { maxBytes: 1_000, files: 2 }, reports).close()
  expect(readdirSync(folder).sort()).toEqual(['hub.log', 'hub.log.1', 'hub.log.old', 'other.log.9'])
})

test('a rotation that was killed half way, and a torn line, are put right', async () => {
  const path = join(temporaryDirectory(), 'service.log')
  writeFileSync(`${path}.2`, '{"number":1}\n')
  writeFileSync(path, '{"number":2}\n{"numb')
  const file = new RotatingFile(path, { maxBytes: 30, files: 4 }, reports)
  file.write('{"number":3}\n')
  await file.close()
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('{"number":2}\n{"numb\n')
  expect(readFileSync(path, 'utf8')).toBe('{"number":3}\n')
  expect(readFileSync(`${path}.3`, 'utf8')).toBe('{"number":1}\n')
})

test('lines that cannot be written are lost and counted, and no one waits for them', async () => {
  failures.length = 0
  const folder = join(temporaryDirectory(), 'logs')
  const path = join(folder, 'service.log')
  const file = new RotatingFile(path, { maxBytes: 20, files: 2 }, reports)
  file.write('{"number":1}\n')
  await new Promise((resolve) => setTimeout(resolve, 50))
  // The next line needs a new file, where there is no folder any more.
  rmSync(folder, { recursive: true })
  file.write('{"number":2}\n')
  file.write('{"number":3}\n')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(failures).toHaveLength(1)
  expect(failures[0]).toContain('ENOENT')
  mkdirSync(folder)
  file.write('{"number":4}\n')
  await file.close()
  const all = readFileSync(`${path}.1`, 'utf8') + readFileSync(path, 'utf8')
  expect(all).toBe('{"lines_lost":1}\n{"number":3}\n{"number":4}\n')
  expect(failures).toHaveLength(1)
})

const writer = `
  import { RotatingFile } from ${JSON.stringify(fileURLToPath(new URL('./rotating-file.ts', import.meta.url)))}
  const file = new RotatingFile(process.argv[1], { maxBytes: 20_000, files: 3 }, { onFailure: console.error, lostLine: () => '' })
  let number = Number(process.argv[2])
  setInterval(() => { for (let i = 0; i < 50; i += 1) file.write(JSON.stringify({ number: number++ }) + '\\n') }, 1)
`

test('a process that is killed again and again leaves whole files of whole lines, in order', async () => {
  const folder = temporaryDirectory()
  const path = join(folder, 'service.log')
  let last = -1
  for (let round = 0; round < 4; round += 1) {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', writer, path, String(last + 1)], {
      stdio: 'inherit',
    })
    const end = once(child, 'exit')
    // Killed in the middle of its work: it has started to rotate.
    while (!existsSync(`${path}.2`) || numbersInSafely(path) <= last)
      await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill('SIGKILL')
    await end
    last = numbersInSafely(path)
  }
  // What a person adds by hand, without an end of line, harms nothing either.
  appendFileSync(path, '{"torn')
  await new RotatingFile(path, { maxBytes: 20_000, files: 3 }, reports).close()
  expect(readdirSync(folder).length).toBeLessThanOrEqual(3)
  const lines = [`${path}.2`, `${path}.1`, path].flatMap((each) => readFileSync(each, 'utf8').trimEnd().split('\n'))
  const torn = lines.filter((line) => !/^\{"number":\d+\}$/.test(line))
  expect(torn.length).toBeLessThanOrEqual(5)
  const numbers = lines.filter((line) => !torn.includes(line)).map((line) => JSON.parse(line).number as number)
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  for (const each of readdirSync(folder)) expect(statSync(join(folder, each)).size).toBeLessThanOrEqual(20_010)
}, 30_000)

/** The last number that was written; -1 before the first. */
function numbersInSafely(path: string): number {
  const [text = '', older = ''] = [path, `${path}.1`].map((each) =>
    existsSync(each) ? readFileSync(each, 'utf8') : '',
  )
  const found = [...(older + text).matchAll(/\{"number":(\d+)\}\n/g)]
  return Number(found.at(-1)?.[1] ?? -1)
}
