import { spawn } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { isPeerThere, peersFolder } from '../../../../../scripts/pending-peers.mjs'

const name = 'fdm-monster'
const peerFolder = join(peersFolder, name)
const READY_MS = 120_000
const READY_POLL_MS = 200
const ANSWER_MS = 30_000

/** True when `npm test` could install FDM Monster's server; says so when it could not, because tests are skipped then. */
export function isFdmMonsterInstalled(): boolean {
  if (isPeerThere(name)) return true
  console.warn("SKIPPED: FDM Monster's server is not installed (npm test installs it)")
  return false
}

/** FDM Monster's server on a folder and a port of its own, set up, without a login. */
export interface FdmMonster {
  /** Asks its REST API, below `/api/v2/`; gives the answer as JSON, and rejects with its text unless the status is 2xx. */
  ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object | FormData): Promise<unknown>
  /** Its own export of printers and floors, as a person downloads it. */
  exportYaml(): Promise<string>
  /** Where its SQLite database lies. */
  databaseFolder: string
  /** Ends it and removes its folder. */
  close(): Promise<void>
}

export async function startFdmMonster(): Promise<FdmMonster> {
  const folder = mkdtempSync(join(tmpdir(), 'printyard-fdm-monster-'))
  const port = await freePort()
  const logFile = join(folder, 'output.log')
  const log = openSync(logFile, 'a')
  const preload = pathToFileURL(join(import.meta.dirname, 'preload.mjs')).href
  const program = join(peerFolder, 'node_modules/@fdm-monster/server/dist/index.js')
  const child = spawn(process.execPath, ['--import', preload, program], {
    stdio: ['ignore', log, log],
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      SERVER_PORT: String(port),
      DATABASE_PATH: join(folder, 'database'),
      MEDIA_PATH: join(folder, 'media'),
      DISABLE_SWAGGER_OPENAPI: 'true',
    },
  })
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()))

  const askForText = async (method: string, path: string, body?: object | FormData): Promise<string> => {
    const isForm = body instanceof FormData
    const response = await fetch(`http://127.0.0.1:${port}/api/v2/${path}`, {
      method,
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      ...(body && !isForm && { headers: { 'content-type': 'application/json' } }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`)
    return text
  }
  const ask: FdmMonster['ask'] = async (method, path, body) => {
    const text = await askForText(method, path, body)
    return text === '' ? undefined : JSON.parse(text)
  }
  const exportYaml = () =>
    askForText('POST', 'server/yaml-export', {
      exportPrinters: true,
      exportFloors: true,
      exportFloorGrid: true,
      exportTags: true,
      printerComparisonStrategiesByPriority: ['name', 'id'],
      floorComparisonStrategiesByPriority: 'floor',
    })

  const close = async () => {
    child.kill('SIGKILL')
    await over
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }

  const setUp = { loginRequired: false, registration: false, rootUsername: 'root', rootPassword: 'Pass-word-1' }
  const deadline = performance.now() + READY_MS
  while (child.exitCode === null && child.signalCode === null && performance.now() < deadline) {
    const isSetUp = await ask('POST', 'first-time-setup/complete', setUp).then(
      () => true,
      () => false,
    )
    if (isSetUp) return { ask, exportYaml, databaseFolder: join(folder, 'database'), close }
    await pause(READY_POLL_MS)
  }
  const said = readFileSync(logFile, 'utf8').slice(-3_000)
  await close()
  throw new Error(`FDM Monster's server did not come up:\n${said}`)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}
