import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemCodeOf } from '../setup/database-setup-error.ts'

/**
 * The process that `postmaster.pid` names, if it really is a PostgreSQL working on this cluster. The file outlives a
 * killed server, and its number may meanwhile belong to a zombie or to any other program (in a container quite
 * regularly to the very same number), which PostgreSQL itself takes for a living server.
 */
export function findPostmaster(clusterDir: string): number | undefined {
  const pid = Number.parseInt(readIfThere(join(clusterDir, 'postmaster.pid')) ?? '', 10)
  if (!Number.isInteger(pid) || pid <= 1) return undefined
  return readCommandLine(pid)?.includes(clusterDir) ? pid : undefined
}

/** Sends a signal to a server that was found; one that has ended meanwhile needs none. */
export function signalPostmaster(pid: number, signal: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (systemCodeOf(error) !== 'ESRCH') throw error
  }
}

/** A server that ends removes its file, and a process that ends its own, at any moment: also between a look and the reading. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw error
  }
}

/** Undefined when there is no such process or only its zombie. */
function readCommandLine(pid: number): string | undefined {
  // Empty for a zombie.
  if (existsSync('/proc/self/cmdline')) return readIfThere(`/proc/${pid}/cmdline`)
  try {
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8', timeout: 5_000 })
  } catch {
    // `ps` fails when there is no such process.
    return undefined
  }
}
