import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { makeDataDirectory } from '../../farms/farm.ts'

/** A file system that nothing else writes to. */
export interface OwnDisk {
  folder: string
  /** Bytes that have reached the disk so far, the journal of the file system included. What waits in memory is written first. */
  writtenBytes(): number
}

const sectorBytes = 512

/**
 * An ext4 file system in a file, gone again when the scope ends.
 *
 * @throws Error where this user may not mount one
 */
export async function mountOwnDisk(scope: AsyncDisposableStack, bytes: number): Promise<OwnDisk> {
  const place = await makeDataDirectory(scope)
  const image = join(place, 'disk.ext4')
  const folder = join(place, 'mounted')
  writeFileSync(image, '')
  truncateSync(image, bytes)
  mkdirSync(folder)
  // Its tables are laid out at once: in the background it would count as written by us.
  run('mkfs.ext4', '-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image)
  run('mount', '-o', 'loop,noatime', image, folder)
  scope.defer(() => void run('umount', folder))
  // As root, PostgreSQL runs as another user who must be able to pass.
  chmodSync(folder, 0o711)
  const device = basename(run('findmnt', '--noheadings', '--output', 'SOURCE', folder))
  return {
    folder,
    writtenBytes() {
      run('sync', '--file-system', folder)
      // The seventh field of Documentation/block/stat.rst: sectors written.
      const [, , , , , , sectors] = readFileSync(`/sys/block/${device}/stat`, 'utf8').trim().split(/\s+/)
      return Number(sectors) * sectorBytes
    },
  }
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}
