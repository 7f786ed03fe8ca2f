import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const startMs = 30_000

/** Whether `npm test` could install Redis; says so when it could not, because tests are skipped then. */
export function isRedisInstalled(): boolean {
  if (spawnSync('redis-server', ['--version']).status === 0) return true
  console.warn('SKIPPED: redis-server is not installed (npm test installs it where it can)')
  return false
}

/** Redis as it is, empty, on a port of its own. */
export interface TestRedis {
  url: string
  /** Stops and goes on as a machine that hangs. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** Ends it as a power cut does. */
  kill(): Promise<void>
  /** Starts it again on the same port, empty. */
  start(): Promise<void>
  close(): Promise<void>
}

export async function startTestRedis(password = 'a-password'): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'printyard-redis-'))
  const port = await freePort()
  const settings = { port: String(port), bind: '127.0.0.1', dir: folder, save: '', requirepass: password }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  // Nothing of ours is handed on to it: vitest waits for whatever still holds a worker's output, for ever if a failed test leaves it behind.
  const run = () => spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let child: ReturnType<typeof run> | undefined
  const redis: TestRedis = {
    url: `redis://:${password}@127.0.0.1:${port}`,
    signal: (signal) => void child?.kill(signal),
    async kill() {
      if (child === undefined) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      child = undefined
    },
    async start() {
      const starting = run()
      child = starting
      const timer = setTimeout(() => starting.kill('SIGKILL'), startMs)
      let output = ''
      starting.stderr.on('data', (text: Buffer) => {
        output += text
      })
      for await (const text of starting.stdout.iterator({ destroyOnReturn: false })) {
        output += text
        if (output.includes('Ready to accept connections')) break
      }
      clearTimeout(timer)
      starting.stdout.resume()
      if (!output.includes('Ready to accept connections')) throw new Error(`Redis did not start:\n${output}`)
    },
    async close() {
      await redis.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await redis.start()
  return redis
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('A port was asked for, and none was given.')
  return address.port
}
