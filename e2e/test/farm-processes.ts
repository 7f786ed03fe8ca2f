import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { checkFetchedAnswer } from '@printyard/server/test/app/answer-validation'
import { commandLine } from './command-line.ts'

/** A running service or hub, in a process of its own. */
export interface FarmProcess {
  pid: number
  /** Everything it wrote to standard error so far. */
  log(): string
  /** Ends it as a power cut would, and waits until it is gone. */
  kill(): Promise<void>
  /** Asks it to stop and answers its exit code. */
  stop(): Promise<number | null>
  /** Resolves with the exit code when it ends by itself or otherwise; null after a signal. */
  ended: Promise<number | null>
}

/** A folder for one farm, removed with everything in it. */
export async function makeFarmFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'printyard-farm-'))
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) }
}

/** The environment of a child: nothing of the developer's own settings, and no search of the developer's network. */
function environment(settings: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PRINTYARD_|DATABASE_URL|REDIS_|S3_)/.test(name))
  return { ...Object.fromEntries(inherited), PRINTYARD_HUB_DISCOVERY: 'off', ...settings }
}

/** The database of each directory whose service was told of one. */
const databases = new Map<string, string>()

/** From now on `printyard` works on this database beside this directory. */
export function recordDatabase(dataDir: string, url: string): void {
  databases.set(dataDir, url)
}

/**
 * Runs a command beside the service of this directory, on the same database. It must answer one JSON document; rejects
 * with what it wrote to standard error.
 */
export async function printyard<T>(dataDir: string, ...args: string[]): Promise<T> {
  const database = databases.get(dataDir)
  const { stdout } = await promisify(execFile)(process.execPath, [commandLine, ...args, '--json'], {
    env: environment({ PRINTYARD_DATA_DIR: dataDir, ...(database !== undefined && { DATABASE_URL: database }) }),
    timeout: 60_000,
  })
  return JSON.parse(stdout) as T
}

/**
 * Starts `printyard serve`, or another program that says that it is ready as this one does.
 *
 * @param options `checkout`: a folder with another version of this repository, which is started instead of this one
 */
export async function startServiceProcess(
  dataDir: string,
  options: { port?: number; settings?: Record<string, string>; program?: string; checkout?: string } = {},
): Promise<FarmProcess & { url: string; port: number }> {
  const database = options.settings?.DATABASE_URL
  if (database !== undefined) recordDatabase(dataDir, database)
  const main = options.checkout === undefined ? commandLine : join(options.checkout, 'apps/cli/src/main.ts')
  const child = spawn(process.execPath, options.program ? [options.program] : [main, 'serve'], {
    env: environment({
      PRINTYARD_DATA_DIR: dataDir,
      PRINTYARD_PORT: String(options.port ?? 0),
      PRINTYARD_RATE_LIMIT_PER_MINUTE: '100000',
      ...options.settings,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const process_ = follow(child)
  try {
    const url = await readyAddress(child, process_)
    return { ...process_, url, port: Number(new URL(url).port) }
  } catch (error) {
    await process_.kill()
    throw error
  }
}

/** Starts `printyard hub run`; without a token, as the hub that has joined in its folder. */
export function startHubProcess(options: { url: string; token?: string; dataDir: string; speed: number }): FarmProcess {
  const { url, token, dataDir, speed } = options
  const args = ['hub', 'run', '--url', url, '--data-dir', dataDir, '--speed', String(speed)]
  if (token !== undefined) args.push('--token', token)
  return follow(
    spawn(process.execPath, [commandLine, ...args], { env: environment({}), stdio: ['ignore', 'pipe', 'pipe'] }),
  )
}

function follow(child: ChildProcess): FarmProcess {
  let written = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    written = (written + chunk.toString()).slice(-200_000)
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  return {
    pid: child.pid ?? 0,
    ended: ended.then(([code]) => code),
    log: () => written,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      const [code] = await ended
      return code
    },
  }
}

function readyAddress(child: ChildProcess, process_: FarmProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no ready line within 60 s:\n${process_.log()}`)), 60_000)
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const [, address] = /^Printyard is ready at (\S+)$/m.exec(text) ?? []
      if (!address) return
      clearTimeout(timer)
      resolve(address)
    })
    child.on('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`the service ended with code ${code}:\n${process_.log()}`))
    })
  })
}

/** Asks again until the answer is right, for a bounded time; says what the last answer was when it never is. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T>,
  isRight: (value: T) => boolean,
  timeoutMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const value = await ask()
    if (isRight(value)) return value
    if (Date.now() > deadline)
      throw new Error(`${what} did not happen in ${timeoutMs} ms; last: ${JSON.stringify(value)}`)
    await wait(100)
  }
}

/** Requests to the public API in the name of one key. */
export function apiClient(url: string, key: string) {
  return async function request<T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }> {
    const answer = await fetch(`${url}/public/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(70_000),
    })
    const text = await answer.text()
    checkFetchedAnswer(method, answer, text)
    return { status: answer.status, body: JSON.parse(text) as T }
  }
}
