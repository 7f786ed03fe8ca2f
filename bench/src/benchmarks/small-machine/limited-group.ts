import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Processes that share a limit of memory, as all of a small machine do. What they start is in it too. */
export interface LimitedGroup {
  /** How the limit is set, in words. */
  how: string
  /** Puts a process in it. Call it right after the start: what it took before counts elsewhere. */
  join(pid: number): void
  /** Memory that cannot be dropped, in MB (10^6 bytes): without copies of files. */
  heldMb(): number
  /** Times that a process was ended because the memory was used up. */
  kills(): number
}

const mount = '/sys/fs/cgroup'

/** What the two versions of control groups call the same. */
const versions = {
  'cgroup v2': {
    parent: mount,
    isThere: () => hasWord(join(mount, 'cgroup.subtree_control'), 'memory'),
    limit: 'memory.max',
    swap: ['memory.swap.max', '0'],
    held: /^anon (\d+)$/m,
    kills: ['memory.events', /^oom_kill (\d+)$/m],
  },
  'cgroup v1': {
    parent: join(mount, 'memory'),
    isThere: () => existsSync(join(mount, 'memory', 'memory.limit_in_bytes')),
    limit: 'memory.limit_in_bytes',
    swap: ['memory.swappiness', '0'],
    held: /^total_rss (\d+)$/m,
    kills: ['memory.oom_control', /^oom_kill (\d+)$/m],
  },
} as const

/**
 * Makes a group with this limit, gone again when the scope ends.
 *
 * @throws Error where the machine does not let this user set a limit
 */
export function makeLimitedGroup(scope: AsyncDisposableStack, limitBytes: number): LimitedGroup {
  const found = Object.entries(versions).find(([, version]) => version.isThere())
  if (found === undefined) throw new Error('No limit of memory can be set here: there is no memory controller')
  const [name, version] = found
  const folder = join(version.parent, `printyard-small-${process.pid}`)
  try {
    mkdirSync(folder)
    writeFileSync(join(folder, version.limit), String(limitBytes))
  } catch (error) {
    throw new Error(`No limit of memory can be set here (${name}); run it as root`, { cause: error })
  }
  scope.defer(() => removeGroup(folder))
  const [swapFile, swapValue] = version.swap
  if (existsSync(join(folder, swapFile))) writeFileSync(join(folder, swapFile), swapValue)
  const [killFile, killed] = version.kills
  return {
    how: `${name}, ${version.limit}`,
    join: (pid) => writeFileSync(join(folder, 'cgroup.procs'), String(pid)),
    heldMb: () => readNumber(join(folder, 'memory.stat'), version.held) / 1e6,
    kills: () => readNumber(join(folder, killFile), killed),
  }
}

/** The kernel takes a moment to see that the last process is gone. */
async function removeGroup(folder: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      rmdirSync(folder)
      return
    } catch (error) {
      if (tries === 50) throw error
      await wait(100)
    }
  }
}

function readNumber(path: string, pattern: RegExp): number {
  const [, digits] = pattern.exec(readFileSync(path, 'utf8')) ?? []
  if (digits === undefined) throw new Error(`${path} does not tell ${pattern.source}`)
  return Number(digits)
}

function hasWord(path: string, word: string): boolean {
  return existsSync(path) && readFileSync(path, 'utf8').split(/\s+/).includes(word)
}
