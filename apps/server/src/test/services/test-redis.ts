import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const startMs = 30_000

/** Another server with the same protocol, such as `valkey-server`, can be named. */
const command = process.env.PRINTYARD_TEST_REDIS ?? 'redis-server'

/** True when `npm test` could install Redis; says so when it could not, because tests are skipped then. */
export function isRedisInstalled(): boolean {
  if (spawnSync(command, ['--version']).status === 0) return true
  console.warn(`SKIPPED: ${command} is not installed (npm test installs redis-server where it can)`)
  return false
}

/** What Redis calls connections that send commands, and those that hear channels. */
type ClientKind = 'normal' | 'pubsub'

/** Redis as it is, empty, on a port of its own. */
export interface TestRedis {
  url: string
  /** 0 while it does not run. */
  readonly pid: number
  /** Stops and goes on as a machine that hangs. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** Ends it as a power cut does. */
  kill(): Promise<void>
  /** Starts it again on the same port, empty. */
  start(): Promise<void>
  /** Ends the connections of all clients, or only those that send commands or those that hear channels. */
  cutConnections(kinds?: readonly ClientKind[]): Promise<void>
  close(): Promise<void>
}

export async function startTestRedis(password = 'a-password'): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'printyard-redis-'))
  const port = await freePort()
  const settings = { port: String(port), bind: '127.0.0.1', dir: folder, save: '', requirepass: password }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  // Nothing of ours is handed on to it: vitest waits for whatever still holds a worker's output, for ever if a failed test leaves it behind.
  const run = () => spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let child: ReturnType<typeof run> | undefined
  const redis: TestRedis = {
    url: `redis://:${password}@127.0.0.1:${port}`,
    get pid() {
      return child?.pid ?? 0
    },
    signal: (signal) => void child?.kill(signal),
    async kill() {
      const ending = child
      child = undefined
      if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
      const ended = once(ending, 'exit')
      ending.kill('SIGKILL')
      await ended
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
    cutConnections: (kinds = ['normal', 'pubsub']) =>
      tell(port, [`AUTH ${password}`, ...kinds.map((kind) => `CLIENT KILL TYPE ${kind}`)]),
    async close() {
      await redis.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  try {
    await redis.start()
    return redis
  } catch (error) {
    await redis.close()
    throw error
  }
}

/** Sends commands on a connection of its own and waits until all are answered. */
async function tell(port: number, commands: readonly string[]): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    socket.write([...commands, 'QUIT', ''].join('\r\n'))
    let answers = ''
    for await (const text of socket) answers += text
    if (/^-/m.test(answers)) throw new Error(`Redis refuses: ${answers}`)
  } finally {
    socket.destroy()
  }
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
