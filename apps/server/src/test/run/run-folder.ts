import { chmodSync, mkdirSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const gib = 1024 ** 3
/** What all test files of a run write at once is well below. */
const neededRoom = 4 * gib
const neededMemory = 8 * gib

export const runFolderPrefix = 'printyard-test-'

/** Where the folder of a run may be: in memory, and where temporary files otherwise are. */
export function placesOfRuns(): string[] {
  return [...new Set([placeOfRun(), tmpdir()])]
}

/**
 * Makes the folder of one run of tests, open to pass for the account of PostgreSQL. Tests create hundreds of databases for some
 * seconds each; on a disk, making and removing their files takes ten times as much processor time as in memory.
 */
export function makeRunFolder(): { path: string; temporary: string } {
  const path = mkdtempSync(join(placeOfRun(), runFolderPrefix))
  chmodSync(path, 0o711)
  const temporary = join(path, 'tmp')
  mkdirSync(temporary)
  // As the folder of temporary files of any Linux: programs that run as other users write there too.
  chmodSync(temporary, 0o1777)
  return { path, temporary }
}

function placeOfRun(): string {
  return process.env.TMPDIR === undefined && hasRoomInMemory() ? memory : tmpdir()
}

function hasRoomInMemory(): boolean {
  if (process.platform !== 'linux') return false
  const [, options] = new RegExp(`^\\S+ ${memory} tmpfs (\\S+)`, 'm').exec(readFileSync('/proc/mounts', 'utf8')) ?? []
  // Tests write programs, and run them.
  if (options === undefined || /\b(?:noexec|ro)\b/.test(options)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= neededRoom && process.availableMemory() >= neededMemory
}
