import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The process that `postmaster.pid` names, if it really is a PostgreSQL working on this cluster. The file outlives a
 * killed server, and its number may meanwhile belong to a zombie or to any other program (in a container quite
 * regularly to the very same number), which PostgreSQL itself takes for a living server.
 */
export function findPostmaster(clusterDir: string): number | undefined {
  const path = join(clusterDir, 'postmaster.pid')
  if (!existsSync(path)) return undefined
  const pid = Number.parseInt(readFileSync(path, 'utf8'), 10)
  if (!Number.isInteger(pid) || pid <= 1) return undefined
  return readCommandLine(pid)?.includes(clusterDir) ? pid : undefined
}

/** Undefined when there is no such process or only its zombie. */
function readCommandLine(pid: number): string | undefined {
  if (existsSync('/proc/self/cmdline')) {
    // Empty for a zombie.
    return existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : undefined
  }
  try {
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8', timeout: 5_000 })
  } catch {
    // `ps` fails when there is no such process.
    return undefined
  }
}
