import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'

/** A process that the harness started. */
export interface Child {
  pid: number
  /** The first group of the first line of standard output that matches, from the beginning on. */
  lineMatching(pattern: RegExp, timeoutMs: number): Promise<string>
  /** SIGTERM, and SIGKILL after 15 s. Safe to call twice. */
  stop(): Promise<void>
}

const alive = new Set<ChildProcess>()
const stopTimeoutMs = 15_000

/** Runs a TypeScript file with this very Node. Its standard error is shown only when it fails. */
export function startChild(file: string, args: string[], env: Record<string, string> = {}): Child {
  const child = spawn(process.execPath, [...nodeOptionsFor(file), file, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  alive.add(child)
  const lines: string[] = []
  let errors = ''
  let onLine: () => void = () => undefined
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    onLine()
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors = (errors + chunk).slice(-4_000)
  })
  let howEnded: string | undefined
  const ended = new Promise<void>((resolve) => {
    const end = (how: string) => {
      howEnded = how
      alive.delete(child)
      resolve()
      onLine()
    }
    child.once('error', (error) => end(error.message))
    child.once('close', (code, signal) => end(signal ?? `code ${code}`))
  })

  return {
    pid: child.pid ?? 0,
    lineMatching(pattern, timeoutMs) {
      return new Promise((resolve, reject) => {
        const fail = (why: string) => reject(new Error(`${file} ${why}:\n${errors}`))
        const timer = setTimeout(() => fail(`said nothing for ${timeoutMs} ms`), timeoutMs)
        onLine = () => {
          const found = lines.map((line) => pattern.exec(line)?.[1]).find((match) => match !== undefined)
          if (found === undefined && howEnded === undefined) return
          clearTimeout(timer)
          onLine = () => undefined
          if (found === undefined) fail(`ended (${howEnded})`)
          else resolve(found)
        }
        onLine()
      })
    },
    async stop() {
      if (howEnded !== undefined) return
      child.kill('SIGTERM')
      const patience = new AbortController()
      await Promise.race([ended, wait(stopTimeoutMs, undefined, { signal: patience.signal }).catch(() => undefined)])
      patience.abort()
      if (howEnded === undefined) child.kill('SIGKILL')
      await ended
    },
  }
}

/** Tells all children to end;, no matter who waits for them fails, which unwinds the rest. */
export function endAllChildren(): void {
  for (const child of alive) child.kill('SIGTERM')
}

/** `PRINTYARD_BENCH_PROFILE=DIR` writes a processor profile of each process there when it ends. */
function nodeOptionsFor(file: string): string[] {
  const directory = process.env.PRINTYARD_BENCH_PROFILE
  const name = file.split('/').slice(-2).join('-').replace('.ts', '')
  return directory
    ? ['--cpu-prof', '--cpu-prof-dir', directory, '--cpu-prof-name', `${name}-${Date.now()}.cpuprofile`]
    : []
}
