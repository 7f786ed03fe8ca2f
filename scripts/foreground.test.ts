import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signalGate } from './foreground.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreground-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const moduleUrl = new URL('./foreground.mjs', import.meta.url).href

/** Starts a starter that runs `body` as the program in its place, both in a process group of their own. */
async function startProgram(body: string) {
  const program = join(folder, 'program.mjs')
  writeFileSync(
    program,
    `import { appendFileSync } from 'node:fs'
     const log = (line) => appendFileSync(${JSON.stringify(join(folder, 'log'))}, line + '\\n')
     ${body}
     console.log('running')`,
  )
  const script = `
    import { runProgram } from ${JSON.stringify(moduleUrl)}
    await runProgram(process.execPath, ${JSON.stringify(program)}, ['--port', '1'], process.env)`
  const starter = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const ended = once(starter, 'exit')
  await once(starter.stdout, 'data')
  return { starter, ended }
}

const readLog = () => readFileSync(join(folder, 'log'), 'utf8').trim().split('\n')

const stopInOrder = `
  const timer = setInterval(() => {}, 1000)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      log(signal)
      setTimeout(() => process.exit(7), 300)
    })
  }`

test('a signal that npm and the terminal both deliver is one signal, and one a second later is another', () => {
  const isPassedOn = signalGate()
  expect(isPassedOn('SIGINT', 0)).toBe(true)
  expect(isPassedOn('SIGINT', 3)).toBe(false)
  expect(isPassedOn('SIGTERM', 4)).toBe(true)
  expect(isPassedOn('SIGINT', 999)).toBe(false)
  expect(isPassedOn('SIGINT', 1000)).toBe(true)
})

test('the program gets its arguments and its exit code becomes ours', async () => {
  const { ended } = await startProgram(`log(process.argv.slice(2).join(' ')); process.exitCode = 42`)
  expect(await ended).toEqual([42, null])
  expect(readLog()).toEqual(['--port 1'])
})

test('the program sees a signal to our whole group once and ends in order', async () => {
  const { starter, ended } = await startProgram(stopInOrder)
  process.kill(-starter.pid!, 'SIGINT')
  starter.kill('SIGINT')
  expect(await ended).toEqual([7, null])
  expect(readLog()).toEqual(['SIGINT'])
})

test('SIGTERM to us alone reaches the program', async () => {
  const { starter, ended } = await startProgram(stopInOrder)
  starter.kill('SIGTERM')
  expect(await ended).toEqual([7, null])
  expect(readLog()).toEqual(['SIGTERM'])
})

test('a program that ends by a signal ends us by the same signal', async () => {
  const { starter, ended } = await startProgram('setInterval(() => {}, 1000)')
  starter.kill('SIGTERM')
  expect(await ended).toEqual([null, 'SIGTERM'])
})

test('a program whose starter was killed stops in order by itself', async () => {
  const { starter, ended } = await startProgram(`${stopInOrder}; process.on('exit', () => log('stopped'))`)
  process.kill(-starter.pid!, 'SIGKILL')
  await ended
  const deadline = Date.now() + 5_000
  let lines: string[] = []
  while (Date.now() < deadline && !lines.includes('stopped')) {
    await delay(50)
    lines = await Promise.resolve()
      .then(readLog)
      .catch(() => [])
  }
  expect(lines).toEqual(['SIGTERM', 'stopped'])
})
