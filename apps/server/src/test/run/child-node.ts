import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

interface ChildNode {
  child: ChildProcess
  /** The next line of standard output, parsed as JSON. Fails after 30 s or `withinMs`, or when the process ends first. */
  nextMessage<T>(options?: { withinMs?: number }): Promise<T>
  /** `code 0`, `signal SIGKILL` */
  ended: Promise<string>
  errors(): string
}

interface ChildNodeOptions {
  uid?: number
  gid?: number
  cwd?: string
  env?: Record<string, string>
}

/** Runs a TypeScript file as a process that talks in lines of JSON. */
export function startNode(file: string, args: string[], options: ChildNodeOptions = {}): ChildNode {
  const { env, ...rest } = options
  const child = spawn(process.execPath, [file, ...args], {
    ...rest,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk
  })
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(signal === null ? `code ${code}` : `signal ${signal}`))
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    ended,
    errors: () => errors,
    async nextMessage<T>({ withinMs = 30_000 } = {}) {
      const timer = new AbortController()
      const next = await Promise.race([lines.next(), timeout(withinMs, timer.signal)])
      timer.abort()
      if (next === undefined || next.done === true) {
        throw new Error(`${file} said nothing more (${next === undefined ? 'still running' : await ended}): ${errors}`)
      }
      // The scripts beside the tests write what the tests expect; a mismatch shows as a failed expectation.
      return JSON.parse(next.value) as T
    },
  }
}

function timeout(ms: number, signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ms)
    signal.addEventListener('abort', () => clearTimeout(timer))
  })
}
