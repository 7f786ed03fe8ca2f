import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { commandLine } from './command-line.ts'

const shortTimeLimitMs = 25_000

export interface CommandResult {
  exitCode: number | null
  stdout: string
  stderr: string
  /** Standard output as JSON; fails unless it is exactly one document. */
  document<T = Record<string, unknown>>(): T
}

/** Whether a variable of the environment is a setting of Printyard: the developer's own are kept from commands in tests. */
export const isSetting = (name: string) => /^(PRINTYARD_|DATABASE_URL$|REDIS_URL$|S3_)/.test(name)

interface RunOptions {
  env?: Record<string, string>
  input?: string
  cwd?: string
  /** Default: longer than a short command may take on a busy machine. */
  timeLimitMs?: number
}

/** Runs `printyard` with these arguments as a user would, with no setting but those given here. */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  const child = start(args, options)
  const output = collect(child)
  child.stdin?.end(options.input ?? '')
  const exitCode = await endOf(child, args, options.timeLimitMs)
  const stdout = output.stdout()
  return {
    exitCode,
    stdout,
    stderr: output.stderr(),
    // Tests know what they asked for; a wrong shape shows as a failed expectation.
    document: <T>() => JSON.parse(stdout) as T,
  }
}

export interface RunningCli {
  child: ChildProcess
  /** The next line of standard output; fails when the process ends first. */
  nextLine(): Promise<string>
  stdout(): string
  stderr(): string
  /** The exit code, once it has ended; null when a signal ended it. */
  ended: Promise<number | null>
}

/** Starts a command that stays, such as `serve`. It is killed at the end of the test unless it ended before. */
export function startCli(args: readonly string[], options: RunOptions = {}): RunningCli {
  const child = start(args, options)
  child.stdin?.end(options.input ?? '')
  const output = collect(child)
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    // In order, so that its database is not left behind; a process that does not follow is killed.
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 12_000)
    await ended
    clearTimeout(timer)
  })
  return {
    child,
    ended,
    ...output,
    async nextLine() {
      const next = await lines.next()
      if (next.done === true) throw new Error(`printyard ${args.join(' ')} ended: ${output.stderr()}`)
      return next.value
    },
  }
}

function start(args: readonly string[], { env = {}, cwd }: RunOptions): ChildProcess {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isSetting(name)))
  return spawn(process.execPath, [commandLine, ...args], {
    cwd,
    // No search of the developer's network.
    env: { ...inherited, PRINTYARD_HUB_DISCOVERY: 'off', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

function collect(child: ChildProcess): { stdout(): string; stderr(): string } {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  // A command that ends before it reads its input breaks our pipe; its exit code tells the rest.
  child.stdin?.on('error', () => child.stdin?.destroy())
  return { stdout: () => stdout, stderr: () => stderr }
}

function endOf(child: ChildProcess, args: readonly string[], timeLimitMs = shortTimeLimitMs): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`printyard ${args.join(' ')} did not end within ${timeLimitMs / 1_000} s`))
    }, timeLimitMs)
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve(code)
    })
  })
}
