import { execFile, spawn } from 'node:child_process'
import { chown, mkdir } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

/** That of `nobody` on every Linux. */
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
    async serve(command, args, options) {
      const child = spawn(command, args, { ...optionsFor(options), stdio: ['ignore', 'pipe', 'pipe'] })
      let log = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text
      })
      const ended = new Promise<number | null>((resolve, reject) => {
        child.once('error', reject)
        child.once('close', resolve)
      })
      const ready = new Promise<string>((resolve) => {
        createInterface({ input: child.stdout }).on('line', (line) => {
          const [, url] = /^Printyard is ready at (\S+)$/.exec(line) ?? []
          if (url !== undefined) resolve(url)
        })
      })
      const url = await Promise.race([
        ready,
        ended.then((code) => Promise.reject(new Error(`ended by ${code}: ${log}`))),
      ])
      return {
        url,
        log: () => log,
        stop() {
          child.kill('SIGTERM')
          return ended
        },
      }
    },
  }
}
