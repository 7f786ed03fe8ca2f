import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LockTimeout, withInstallLock } from './install-lock.mjs'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'install-lock-'))
  path = join(folder, 'lock')
})
afterEach(() => rmSync(folder, { recursive: true }))

const options = { timeoutMs: 10_000, onWait: () => undefined }
const moduleUrl = new URL('./install-lock.mjs', import.meta.url).href

/** Starts a process that takes the lock, says so on standard output, and runs `body` while it holds it. */
function startHolder(body: string) {
  const script = `
    import { spawn } from 'node:child_process'
    import { appendFileSync } from 'node:fs'
    import { setTimeout as delay } from 'node:timers/promises'
    import { withInstallLock } from ${JSON.stringify(moduleUrl)}
    const log = (line) => appendFileSync(${JSON.stringify(join(folder, 'log'))}, line + '\\n')
    await withInstallLock(${JSON.stringify(path)}, { timeoutMs: 20_000, onWait: () => {} }, async (recordTool) => {
      console.log('held')
      ${body}
    })`
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
}

test('six processes that come at once work one after another', async () => {
  const holders = Array.from({ length: 6 }, () =>
    startHolder(`log('in ' + process.pid); await delay(50); log('out ' + process.pid)`),
  )
  const codes = await Promise.all(holders.map(async (holder) => (await once(holder, 'exit'))[0]))
  expect(codes).toEqual(Array(6).fill(0))
  const lines = readFileSync(join(folder, 'log'), 'utf8').trim().split('\n')
  expect(lines).toHaveLength(12)
  for (let index = 0; index < lines.length; index += 2) {
    expect(lines[index + 1]).toBe(lines[index]?.replace('in', 'out'))
  }
  expect(readdirSync(folder)).toEqual(['log'])
}, 30_000)

test('the lock of a process that was killed is taken over by exactly one at a time', async () => {
  const killed = startHolder('await delay(60_000)')
  await once(killed.stdout, 'data')
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  let inside = 0
  const work = async () => {
    inside += 1
    expect(inside).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 20))
    inside -= 1
    return 'done'
  }
  expect(await Promise.all(Array.from({ length: 5 }, () => withInstallLock(path, options, work)))).toEqual(
    Array(5).fill('done'),
  )
})

test('the lock holds while a tool of the killed process still runs', async () => {
  const killed = startHolder(`
      const tool = spawn('sleep', ['1'], { detached: true, stdio: 'ignore' })
      recordTool(tool.pid)
      console.log('tool')
      await delay(60_000)`)
  let said = ''
  for await (const chunk of killed.stdout) {
    said += chunk
    if (said.includes('tool')) break
  }
  killed.kill('SIGKILL')
  await expect(withInstallLock(path, { ...options, timeoutMs: 300 }, async () => 'in')).rejects.toThrow(LockTimeout)
  expect(await withInstallLock(path, options, async () => 'in')).toBe('in')
})

test('who waits is told whom for, once', async () => {
  const holder = startHolder('await delay(700)')
  await once(holder.stdout, 'data')
  const waitedFor: number[] = []
  await withInstallLock(path, { timeoutMs: 10_000, onWait: (pid) => waitedFor.push(pid) }, async () => undefined)
  expect(waitedFor).toEqual([holder.pid])
})

test('a lock whose content was lost with the power is taken over after a minute', async () => {
  mkdirSync(path)
  appendFileSync(join(path, 'owner.json'), '')
  await expect(withInstallLock(path, { ...options, timeoutMs: 300 }, async () => 'in')).rejects.toThrow(LockTimeout)
  const twoMinutesAgo = Date.now() / 1000 - 120
  utimesSync(path, twoMinutesAgo, twoMinutesAgo)
  expect(await withInstallLock(path, options, async () => 'in')).toBe('in')
})

test('failing work gives the lock back and hands on its error', async () => {
  const failing = withInstallLock(path, options, async () => {
    throw new Error('disk full')
  })
  await expect(failing).rejects.toThrow('disk full')
  expect(existsSync(path)).toBe(false)
})
