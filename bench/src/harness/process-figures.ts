import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second in /proc; 100 on every Linux that Node runs on. */
const ticksPerSecond = 100

/** Memory of one or more processes, in MB (10^6 bytes). */
export interface MemoryFigures {
  /** Resident: counts what processes share once for each. */
  rss_mb: number
  /** Proportional: what is shared counts once in all. */
  pss_mb: number
  processes: number
}

/** Processor time that a process has used so far. Undefined where there is no /proc. */
export function readCpuSeconds(pid: number): number | undefined {
  const fields = readStat(pid)
  // utime and stime, the 14th and 15th field of proc_pid_stat(5).
  return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Processor time of a process and all that descend from it, those that it has waited for at their end included, so far. */
export function readCpuSecondsOfAll(pid: number): number | undefined {
  const own = readCpuSeconds(pid)
  const fields = readStat(pid)
  if (own === undefined || fields === undefined) return undefined
  // cutime and cstime, the 16th and 17th field.
  const ended = (Number(fields[13]) + Number(fields[14])) / ticksPerSecond
  return listDescendants(pid).reduce((sum, each) => sum + (readCpuSeconds(each) ?? 0), own + ended)
}

/** Memory of these processes together. Undefined where there is no /proc, or one of them has ended. */
export function readMemory(pids: number[]): MemoryFigures | undefined {
  let rssKb = 0
  let pssKb = 0
  for (const pid of pids) {
    const text = readProc(`${pid}/smaps_rollup`)
    if (text === undefined) return undefined
    rssKb += Number(/^Rss:\s+(\d+) kB$/m.exec(text)?.[1])
    pssKb += Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1])
  }
  const toMb = (kb: number) => Math.round((kb * 1024) / 1e5) / 10
  return { rss_mb: toMb(rssKb), pss_mb: toMb(pssKb), processes: pids.length }
}

/**
 * Resident memory of a process in MB: at little cost, so that it may be asked for often while something is measured. Undefined where there is no
 * /proc, or the process has ended.
 */
export function readResidentMb(pid: number): number | undefined {
  const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`${pid}/status`) ?? '')?.[1]
  return kb === undefined ? undefined : (Number(kb) * 1024) / 1e6
}

/** All processes that descend from this one, itself not included. */
export function listDescendants(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of listProc()) {
    const fields = /^\d+$/.test(name) ? readStat(Number(name)) : undefined
    if (fields !== undefined) parents.set(Number(name), Number(fields[1]))
  }
  const descendants = new Set([pid])
  let size = 0
  while (size !== descendants.size) {
    size = descendants.size
    for (const [child, parent] of parents) if (descendants.has(parent)) descendants.add(child)
  }
  descendants.delete(pid)
  return [...descendants]
}

/** The fields of /proc/PID/stat from the third on; the second is a name that may hold anything. */
function readStat(pid: number): string[] | undefined {
  const text = readProc(`${pid}/stat`)
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    // Not Linux, or the process has ended.
    return undefined
  }
}

function listProc(): string[] {
  try {
    return readdirSync('/proc')
  } catch {
    // Not Linux.
    return []
  }
}
