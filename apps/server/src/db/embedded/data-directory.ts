import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseSetupError, dataDirectoryError, systemCodeOf } from '../setup/database-setup-error.ts'
import { postgresMajor } from './postgres-binaries.ts'
import { openSocketDirectory, type SocketDirectory } from './socket-directory.ts'

/** Grows when the meaning of the folders inside the data directory changes. */
const layoutVersion = 1
const answerTimeoutMs = 2_000
const contestTimeoutMs = 10_000

/** Process that uses a data directory, as told by that process itself. */
export interface Holder {
  pid: number
  /** ISO 8601 */
  started_at: string
  /** `service`, `backup`, …: what the holder said it is there for. */
  purpose: string
  /** Address at which the service listens, once it does. */
  url?: string
}

interface Claimant extends Holder {
  id: string
  /** Two processes that start at once are both `claiming` until one of them sees that it is alone. */
  state: 'claiming' | 'holding'
}

export interface DataDirectoryClaim {
  readonly dataDir: string
  /** Adds the address to what `readHolder` tells others. */
  announce(details: { url: string }): void
  release(): Promise<void>
}

/** The data directory belongs to another living process. */
export class DataDirectoryInUseError extends DatabaseSetupError {
  /** Undefined when the other process is alive but does not say who it is. */
  readonly holder: Holder | undefined

  constructor(dataDir: string, holder: Holder | undefined) {
    super('DATA_DIRECTORY_IN_USE', `The data directory ${dataDir} is in use by ${describeHolder(holder)}.`)
    this.name = 'DataDirectoryInUseError'
    this.holder = holder
  }
}

function describeHolder(holder: Holder | undefined): string {
  if (holder === undefined) return 'another process, which does not answer'
  const address = holder.url === undefined ? '' : `, at ${holder.url}`
  return `process ${holder.pid} (${holder.purpose}, since ${holder.started_at}${address})`
}

/**
 * Makes this process the only one that works on a data directory, until `release` or its death, however it dies.
 *
 * Each claimant listens on a socket of its own in the directory, so the kernel takes the claim back with the process:
 * no pid can be mistaken for another, no lock can be left behind. A socket is published (renamed) only once it
 * listens and its name is never used twice, so one that refuses is dead for good and may be removed by anybody.
 * Everybody publishes first and looks around second: of two that start at once, at least one sees the other, and
 * the lower id wins.
 *
 * @throws DataDirectoryInUseError when another process holds it.
 * @throws DatabaseSetupError `DATA_DIRECTORY_NOT_WRITABLE`, `DISK_FULL`, or `DATA_DIRECTORY_OTHER_VERSION` when
 * the directory was written by a version whose files this one cannot read.
 */
export async function claimDataDirectory(
  dataDir: string,
  { purpose, now = () => new Date() }: { purpose: string; now?: () => Date },
): Promise<DataDirectoryClaim> {
  const directory = prepareDataDirectory(dataDir)
  const claims = join(directory, 'claims')
  let sockets: SocketDirectory
  try {
    mkdirSync(claims, { recursive: true, mode: 0o700 })
    sockets = openSocketDirectory(claims)
  } catch (error) {
    throw dataDirectoryError(directory, error)
  }
  const me: Claimant = {
    id: `${randomBytes(8).toString('hex')}`,
    pid: process.pid,
    started_at: now().toISOString(),
    purpose,
    state: 'claiming',
  }
  let server: Server
  try {
    server = await publish(sockets, claims, me)
  } catch (error) {
    sockets.close()
    throw dataDirectoryError(directory, error)
  }
  const release = async () => {
    rmSync(join(claims, socketName(me.id)), { force: true })
    await new Promise((resolve) => server.close(resolve))
    sockets.close()
  }
  try {
    const winner = await contest(sockets, claims, me)
    if (winner !== 'me') throw new DataDirectoryInUseError(directory, winner.holder)
    me.state = 'holding'
    recordVersion(directory)
  } catch (error) {
    await release()
    throw error
  }
  return {
    dataDir: directory,
    announce({ url }) {
      me.url = url
    },
    release,
  }
}

/** Answers who holds the data directory now; undefined when no one does, or when the holder does not answer within 2 s. */
export async function readHolder(dataDir: string): Promise<Holder | undefined> {
  const claims = join(dataDir, 'claims')
  if (!existsSync(claims)) return undefined
  const sockets = openSocketDirectory(claims)
  try {
    for (const id of listClaimIds(claims)) {
      const answer = await ask(sockets.path(socketName(id)))
      if (typeof answer === 'object' && answer.state === 'holding') return toHolder(answer)
    }
    return undefined
  } finally {
    sockets.close()
  }
}

function socketName(id: string): string {
  return `${id}.sock`
}

function listClaimIds(claims: string): string[] {
  return readdirSync(claims)
    .filter((name) => name.endsWith('.sock'))
    .map((name) => name.slice(0, -'.sock'.length))
}

function toHolder({ pid, started_at, purpose, url }: Claimant): Holder {
  return url === undefined ? { pid, started_at, purpose } : { pid, started_at, purpose, url }
}

async function publish(sockets: SocketDirectory, claims: string, me: Claimant): Promise<Server> {
  const draft = `${me.id}.draft`
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.end(`${JSON.stringify(me)}\n`)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(sockets.path(draft), resolve)
  })
  // A claim must not keep a process alive that has nothing else to do.
  server.unref()
  renameSync(join(claims, draft), join(claims, socketName(me.id)))
  return server
}

async function contest(
  sockets: SocketDirectory,
  claims: string,
  me: Claimant,
): Promise<'me' | { holder: Holder | undefined }> {
  const deadline = performance.now() + contestTimeoutMs
  for (;;) {
    let mustLookAgain = false
    for (const id of listClaimIds(claims)) {
      if (id === me.id) continue
      const answer = await ask(sockets.path(socketName(id)))
      if (answer === 'dead') {
        rmSync(join(claims, socketName(id)), { force: true })
      } else if (answer === 'silent') {
        return { holder: undefined }
      } else if (answer === 'leaving') {
        mustLookAgain = true
      } else if (answer.state === 'holding' || answer.id < me.id) {
        return { holder: toHolder(answer) }
      } else {
        mustLookAgain = true
      }
    }
    if (!mustLookAgain) return 'me'
    if (performance.now() > deadline) return { holder: undefined }
    await wait(20)
  }
}

/**
 * `dead`: no one listens any more. `leaving`: it closed without an answer, so it is about to be dead.
 * `silent`: alive, but stopped, overloaded or not ours to talk to.
 */
type Answer = Claimant | 'dead' | 'leaving' | 'silent'

function ask(path: string): Promise<Answer> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(path)
    const timer = setTimeout(() => finish('silent'), answerTimeoutMs)
    const finish = (answer: Answer) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', () => finish(parseClaimant(text) ?? 'leaving'))
    socket.on('error', (error) => finish(answersOfErrors[systemCodeOf(error) ?? ''] ?? 'silent'))
  })
}

const answersOfErrors: Record<string, Answer> = {
  ECONNREFUSED: 'dead',
  ENOENT: 'dead',
  ECONNRESET: 'leaving',
  EPIPE: 'leaving',
}

function parseClaimant(text: string): Claimant | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    if (!('id' in value && 'pid' in value && 'started_at' in value && 'purpose' in value && 'state' in value))
      return undefined
    // Only our own processes can write to a socket in this 0700 directory, and they write a Claimant.
    return value as Claimant
  } catch {
    return undefined
  }
}

function prepareDataDirectory(dataDir: string): string {
  // As root, PostgreSQL runs as another user and must be able to pass through; the secrets inside are 0600 or 0700.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  try {
    mkdirSync(dataDir, { recursive: true, mode })
    return realpathSync(dataDir)
  } catch (error) {
    throw dataDirectoryError(dataDir, error)
  }
}

const unfinishedRestore = 'restore-unfinished'

/** Marks a data directory into which a backup is being restored: no service starts on it until the mark is taken away. */
export function markRestore(dataDir: string, isUnfinished: boolean): void {
  const path = join(dataDir, unfinishedRestore)
  try {
    if (isUnfinished) writeFileSync(path, 'A restore into this directory has not ended.\n', { flush: true })
    else rmSync(path)
  } catch (error) {
    throw dataDirectoryError(dataDir, error)
  }
}

/** @throws DatabaseSetupError `RESTORE_UNFINISHED` */
export function checkRestored(dataDir: string): void {
  if (!existsSync(join(dataDir, unfinishedRestore))) return
  throw new DatabaseSetupError(
    'RESTORE_UNFINISHED',
    `The restore into ${dataDir} was broken off, so it holds only a part of the backup. Remove the directory, and restore again.`,
  )
}

interface VersionRecord {
  layout_version: number
  postgres_major: number
}

function writeVersion(directory: string, record: VersionRecord): void {
  const path = join(directory, 'VERSION.json')
  const draft = `${path}.${process.pid}`
  try {
    writeFileSync(draft, `${JSON.stringify(record)}\n`)
    renameSync(draft, path)
  } catch (error) {
    throw dataDirectoryError(directory, error)
  }
}

function recordVersion(directory: string): void {
  const path = join(directory, 'VERSION.json')
  const found = readVersion(directory, path)
  if (found === undefined) {
    writeVersion(directory, { layout_version: layoutVersion, postgres_major: postgresMajor })
    return
  }
  if (found.layout_version !== layoutVersion) {
    const advice =
      found.layout_version > layoutVersion
        ? 'It was written by a newer Printyard; start that one.'
        : 'Make a backup with the Printyard that wrote it, and restore it into a new directory with this one.'
    throw new DatabaseSetupError(
      'DATA_DIRECTORY_OTHER_VERSION',
      `The data directory ${directory} has layout ${found.layout_version}, this Printyard needs ${layoutVersion}. ${advice}`,
    )
  }
}

/**
 * Refuses a database that another major of PostgreSQL wrote, and notes the one that makes it.
 *
 * @throws DatabaseSetupError `DATA_DIRECTORY_OTHER_VERSION`
 */
export function requireMajor(directory: string, major: number): void {
  const written = readMajor(directory)
  if (written !== undefined && written !== major) {
    throw new DatabaseSetupError(
      'DATA_DIRECTORY_OTHER_VERSION',
      `The database in ${directory} was written by PostgreSQL ${written}, this Printyard runs PostgreSQL ${major}. ` +
        'Make a backup with the one that wrote it, and restore it into a new directory; or choose its programs by PRINTYARD_POSTGRES_BIN_DIR.',
    )
  }
  const path = join(directory, 'VERSION.json')
  const isNoted = existsSync(path) && readVersion(directory, path)?.postgres_major === major
  if (!isNoted) writeVersion(directory, { layout_version: layoutVersion, postgres_major: major })
}

/** The major of the cluster that is there; undefined before the first start. */
function readMajor(directory: string): number | undefined {
  const path = join(directory, 'postgres', 'PG_VERSION')
  return existsSync(path) ? Number.parseInt(readFileSync(path, 'utf8'), 10) : undefined
}

function readVersion(directory: string, path: string): VersionRecord | undefined {
  const written = join(directory, 'postgres', 'PG_VERSION')
  if (existsSync(path)) {
    try {
      // We are the only writer; a file that is damaged anyway is reported below.
      const value = JSON.parse(readFileSync(path, 'utf8')) as Partial<VersionRecord>
      if (Number.isInteger(value.layout_version) && Number.isInteger(value.postgres_major))
        return value as VersionRecord
    } catch (error) {
      throw dataDirectoryError(path, error)
    }
    throw dataDirectoryError(path, new Error('it does not tell layout_version and postgres_major'))
  }
  if (!existsSync(written)) return undefined
  return { layout_version: layoutVersion, postgres_major: Number.parseInt(readFileSync(written, 'utf8'), 10) }
}
