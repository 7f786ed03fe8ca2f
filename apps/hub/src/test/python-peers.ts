import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isPeerThere, peersFolder } from '../../../../scripts/pending-peers.mjs'

/** Python programs need seconds to come up, on a busy machine many. */
const READY_MS = 120_000
const READY_POLL_MS = 200
const START_TRIES = 3

/** A program from PyPI that tests run drivers against. */
type PeerName =
  | 'octoprint'
  | 'moonraker'
  | 'moonraker-api'
  | 'octorest'
  | 'pyprusalink'
  | 'pycentauri'
  | 'bambulabs_api'
  | 'standardwebhooks'
  | 'printyard-sdk'
  | 'spoolman'

/** True when `npm test` could install this program from PyPI; says so when it could not, because tests are skipped then. */
export function isPeerInstalled(name: PeerName): boolean {
  if (isPeerThere(name)) return true
  console.warn(`SKIPPED: ${name} is not installed (npm test installs it where python3 with venv is)`)
  return false
}

/** The Python that has this program. */
export function peerPython(name: PeerName): string {
  return join(peersFolder, name, 'bin/python')
}

/** Runs a script with the Python that has this client; resolves with what it printed, rejects with what it says of its failure. */
export async function runClientScript(
  client: PeerName,
  script: string,
  args: string[],
  timeoutMs: number,
): Promise<string> {
  const python = peerPython(client)
  const { stdout } = await promisify(execFile)(python, [script, ...args], {
    timeout: timeoutMs,
    maxBuffer: 16 * 1024 * 1024,
  })
  return stdout
}

/** A program from PyPI that runs on a folder and a port of its own. */
export interface PeerProcess {
  readonly port: number
  folder: string
  /** Ends the process as a power cut does. */
  kill(): Promise<void>
  /** Starts it again on the same folder and port. */
  startAgain(): Promise<void>
  /** Ends it and removes its folder. */
  close(): Promise<void>
}

interface PeerProgram {
  name: PeerName
  /** Writes what the program reads at its start. Called for each try, because the port may be another one. */
  prepare(folder: string, port: number): void
  /** What follows `python -m`. */
  args(folder: string, port: number): string[]
  /** Variables of its environment beside ours. */
  environment?(folder: string): Record<string, string>
  /** True when it does what tests want of it; an exception means not yet. */
  isReady(folder: string, port: number): Promise<boolean>
}

/** Starts the program; rejects with the end of its log when it does not come up. */
export async function startPeer(program: PeerProgram): Promise<PeerProcess> {
  const folder = mkdtempSync(join(tmpdir(), `printyard-${program.name}-`))
  let port = 0
  let stop: (() => Promise<void>) | undefined
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  try {
    // Between the search for a free port and its use another program may take it.
    for (let tries = 1; stop === undefined; tries += 1) {
      port = await freePort()
      program.prepare(folder, port)
      stop = await run(program, folder, port).catch((error: unknown) => {
        if (tries === START_TRIES) throw error
        return undefined
      })
    }
  } catch (error) {
    remove()
    throw error
  }
  return {
    port,
    folder,
    async kill() {
      await stop?.()
      stop = undefined
    },
    async startAgain() {
      stop = await run(program, folder, port)
    },
    async close() {
      await stop?.()
      remove()
    },
  }
}

async function run(program: PeerProgram, folder: string, port: number): Promise<() => Promise<void>> {
  const logFile = join(folder, 'output.log')
  const log = openSync(logFile, 'a')
  const child = spawn(join(peersFolder, program.name, 'bin/python'), ['-m', ...program.args(folder, port)], {
    stdio: ['ignore', log, log],
    cwd: folder,
    env: { ...process.env, ...program.environment?.(folder) },
  })
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()))
  const stop = async () => {
    child.kill('SIGKILL')
    await over
  }
  const deadline = performance.now() + READY_MS
  while (child.exitCode === null && child.signalCode === null && performance.now() < deadline) {
    if (await program.isReady(folder, port).catch(() => false)) return stop
    await pause(READY_POLL_MS)
  }
  await stop()
  throw new Error(`${program.name} did not come up:\n${readFileSync(logFile, 'utf8').slice(-3_000)}`)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}
