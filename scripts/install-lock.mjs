import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const pollMs = 200
const foreignHostMs = 30 * 60_000
const unreadableMs = 60_000
const graveMs = 24 * 60 * 60_000

/** Another process kept the lock for longer than the caller would wait. */
export class LockTimeout extends Error {
  /**
   * @param {string} path
   * @param {number | undefined} pid of the holder
   */
  constructor(path, pid) {
    super(`the lock ${path} is held by process ${pid ?? 'unknown'}`)
    this.name = 'LockTimeout'
  }
}

/**
 * @typedef {{ pid: number, started: string }} ProcessIdentity `started` tells a process from a later one with its number
 * @typedef {{ token: string, host: string, holder: ProcessIdentity }} LockOwner
 */

/**
 * Runs `work` while no other process on this checkout does the same. The lock is a folder that is filled first and then
 * renamed into place, so it never exists without its owner's name. A lock whose owner and tool are both gone is taken
 * over.
 *
 * @template T
 * @param {string} path of the lock folder
 * @param {{ timeoutMs: number, onWait: (pid: number) => void }} options
 * @param {(recordTool: (pid: number) => void) => Promise<T>} work calls `recordTool` for each tool it starts: a tool can
 *   outlive us when we are killed, and the lock holds as long as it runs
 * @returns {Promise<T>}
 * @throws {LockTimeout} when the lock is not free within `timeoutMs`
 */
export async function withInstallLock(path, options, work) {
  const token = randomUUID()
  const deadline = Date.now() + options.timeoutMs
  mkdirSync(dirname(path), { recursive: true })
  const candidate = `${path}.${token}`
  mkdirSync(candidate)
  try {
    /** @type {LockOwner} */
    const owner = { token, host: hostname(), holder: identify(process.pid) }
    writeFileSync(join(candidate, 'owner.json'), JSON.stringify(owner))
    let isWaitTold = false
    while (!tryRename(candidate, path)) {
      const current = findOwner(path)
      if (Date.now() > deadline) throw new LockTimeout(path, current?.holder.pid)
      if (current !== undefined && isStale(path, current)) {
        // The name of the grave is made from the dead owner. A filled folder cannot be renamed over another one, so of
        // two who saw the same dead owner the second cannot carry off the lock of the first.
        if (tryRename(path, `${path}.dead.${current.token}`)) continue
      } else if (current !== undefined && !isWaitTold) {
        options.onWait(current.holder.pid)
        isWaitTold = true
      }
      await delay(pollMs)
    }
  } catch (error) {
    rmSync(candidate, { recursive: true, force: true })
    throw error
  }
  try {
    return await work((pid) => writeFileSync(join(path, 'tool.json'), JSON.stringify(identify(pid))))
  } finally {
    renameSync(path, candidate)
    rmSync(candidate, { recursive: true, force: true })
    clearGraves(path)
  }
}

/**
 * @param {string} from
 * @param {string} to
 * @returns {boolean} false when `to` is there already, or `from` is gone
 */
function tryRename(from, to) {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOENT') return false
    throw error
  }
}

/**
 * @param {string} path
 * @returns {LockOwner | undefined} undefined when the lock was given back in the meantime
 */
function findOwner(path) {
  const owner = /** @type {LockOwner | undefined} */ (readJson(join(path, 'owner.json')))
  if (owner !== undefined || ageMs(path) < unreadableMs) return owner
  // A machine that lost power can come back with the folder but not with the content of its file.
  const { mtimeMs } = statSync(path)
  return { token: `unreadable-${mtimeMs}`, host: hostname(), holder: { pid: 0, started: 'unknown' } }
}

/**
 * @param {string} path
 * @param {LockOwner} owner
 */
function isStale(path, owner) {
  // Process numbers of another machine, or of another container on this folder, say nothing here.
  if (owner.host !== hostname()) return ageMs(path) > foreignHostMs
  const tool = /** @type {ProcessIdentity | undefined} */ (readJson(join(path, 'tool.json')))
  return !isAlive(owner.holder) && (tool === undefined || !isAlive(tool))
}

/** @param {ProcessIdentity} identity */
function isAlive(identity) {
  if (identity.pid === 0) return false
  try {
    process.kill(identity.pid, 0)
  } catch (error) {
    // EPERM: it lives, and belongs to another person.
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH') return false
  }
  return identify(identity.pid).started === identity.started
}

/**
 * @param {number} pid
 * @returns {ProcessIdentity} `started` is empty where the system does not tell, as on macOS
 */
function identify(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the command in parentheses and may hold blanks; the start time is field 22.
    const [state, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    // A zombie only waits for its parent to ask how it ended; some parents never do.
    return { pid, started: state === 'Z' ? 'ended' : (rest[18] ?? '') }
  } catch {
    return { pid, started: '' }
  }
}

/** @param {string} path */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** @param {string} path */
function ageMs(path) {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
}

/** @param {string} path */
function clearGraves(path) {
  for (const name of readdirSync(dirname(path))) {
    const grave = join(dirname(path), name)
    if (name.startsWith(`${basename(path)}.`) && ageMs(grave) > graveMs) rmSync(grave, { recursive: true, force: true })
  }
}
