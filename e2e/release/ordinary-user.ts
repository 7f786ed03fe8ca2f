import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { chown, mkdir } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

/** An unprivileged user of every Linux. */
const ordinaryId = 65_534

interface RunOptions {
  cwd?: string
  env?: Record<string, string>
}

/** A user of this machine that is not root, with a home folder of its own; tests that run as an ordinary user stay that user. */
export interface OrdinaryUser {
  home: string
  /** Makes a folder that belongs to the user. */
  makeFolder(path: string): Promise<string>
  /** Runs a command to its end; rejects with its output when it fails. */
  run(command: string, args: string[], options?: RunOptions): Promise<{ stdout: string; stderr: string }>
  /** Starts `serve` and waits until it says where it is. */
  serve(command: string, args: string[], options?: RunOptions): Promise<ReleasedService>
}

interface ReleasedService {
  url: string
  log(): string
  /** Asks it to stop; gives its exit code once all of its processes have ended. */
  stop(): Promise<number | null>
}

export async function makeOrdinaryUser(home: string): Promise<OrdinaryUser> {
  const ids = process.getuid?.() === 0 ? { uid: ordinaryId, gid: ordinaryId } : {}
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      !/^(PRINTYARD_|DATABASE_URL$|npm_|INIT_CWD$|NODE_(OPTIONS|ENV|PATH|COMPILE_CACHE)$|VITEST|XDG_)/.test(name),
  )
  const optionsFor = ({ cwd = home, env = {} }: RunOptions = {}) => ({
    ...ids,
    cwd,
    env: { ...Object.fromEntries(inherited), HOME: home, PRINTYARD_HUB_DISCOVERY: 'off', ...env },
  })
  const makeFolder = async (path: string) => {
    await mkdir(path, { recursive: true, mode: 0o755 })
    if (ids.uid !== undefined) await chown(path, ids.uid, ids.gid)
    return path
  }
  await makeFolder(home)
  return {
    home,
    makeFolder,
    run: (command, args, options) =>
      promisify(execFile)(command, args, { ...optionsFor(options), maxBuffer: 64 * 1024 * 1024, timeout: 240_000 }),
    serve: (command, args, options) => follow(spawn(command, args, optionsFor(options))),
  }
}

/** Starts `serve`, or another command that says when it is ready, with this environment alone. */
export function runService(
  command: string,
  args: string[],
  env: Record<string, string> = {},
  ready?: RegExp,
): Promise<ReleasedService> {
  return follow(spawn(command, args, { env: { PATH: process.env.PATH, ...env } }), ready)
}

/** Resolves when a line of its output has the form of readiness. */
function follow(
  child: ChildProcessWithoutNullStreams,
  ready = /^Printyard is ready at (\S+)$/,
): Promise<ReleasedService> {
  let log = ''
  return new Promise((resolve, reject) => {
    const ended = new Promise<number | null>((end) => child.once('close', end))
    const stop = () => {
      child.kill('SIGTERM')
      return ended
    }
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        log += `${line}\n`
        const match = ready.exec(line)
        if (match !== null) resolve({ url: match[1] ?? '', log: () => log, stop })
      })
    }
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`${child.spawnfile} ended by ${code}: ${log}`)))
  })
}
