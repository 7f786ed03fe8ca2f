import { readFileSync, statfsSync } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { arch, availableParallelism, freemem, loadavg, platform, release, totalmem, uptime } from 'node:os'
import { join } from 'node:path'

/** The machine, by numbers and by names that are those of products. */
export function readMachine(): object {
  return {
    platform: platform(),
    architecture: arch(),
    // Of a kernel that someone built, the rest of the name is theirs.
    kernel: numberOf(release()),
    system: readSystem(),
    board: readBoard(),
    processors: availableParallelism(),
    memory_bytes: totalmem(),
    free_memory_bytes: freemem(),
    memory_limit_bytes: readLimit(),
    load: loadavg(),
    machine_up_seconds: Math.round(uptime()),
  }
}

/** Limit of a container or a unit; null where all of the machine's may be used. */
function readLimit(): number | null {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < totalmem() ? limit : null
}

/** The first part of a version: digits and dots. */
export function numberOf(version: string): string | null {
  return /^\d{1,6}(?:\.\d{1,6}){0,3}/.exec(version)?.[0] ?? null
}

const systems =
  /^(?:debian|raspbian|ubuntu|fedora|rhel|rocky|almalinux|centos|arch|opensuse[a-z-]*|sles|nixos|alpine|amzn)$/

function readSystem(): { id: string; version: string | null } | null {
  const text = readText('/etc/os-release')
  const id = /^ID="?([a-z-]+)"?$/m.exec(text)?.[1] ?? ''
  if (!systems.test(id)) return null
  return { id, version: numberOf(/^VERSION_ID="?([^"\n]*)"?$/m.exec(text)?.[1] ?? '') }
}

/** Such as `Raspberry Pi 4 Model B Rev 1.4`. */
function readBoard(): string | null {
  return (
    /^Raspberry Pi(?: (?:\d{1,3}|Zero|Model|Compute|Module|Rev|[AB]\+?|Plus|W|\d{1,2}\.\d))*/.exec(
      readText('/proc/device-tree/model'),
    )?.[0] ?? null
  )
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Not Linux, or no such board.
    return ''
  }
}

/** Free and total bytes of the disk of a folder; what it says where the folder is not there. */
export function readDisk(folder: string): object {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder)
    return { free_bytes: bavail * bsize, total_bytes: blocks * bsize }
  } catch (error) {
    return { problem: (error as NodeJS.ErrnoException).code ?? 'cannot be read' }
  }
}

/** Folders and files that Printyard makes in its data folder; what others put there is counted together. */
const known = [
  'postgres',
  'files',
  'uploads',
  'backups',
  'upgrades',
  'logs',
  'run',
  'claims',
  'hub',
  'secret.key',
  'VERSION.json',
]

interface Size {
  bytes: number
  files: number
  /** There was more than is counted within the time. */
  is_incomplete?: true
}

/** Answers what each part of the data folder takes, within a bounded time. */
export async function measureDataFolder(
  folder: string,
  deadline: AbortSignal,
): Promise<Record<string, Size> | { problem: string }> {
  const sizes: Record<string, Size> = {}
  try {
    for await (const entry of await opendir(folder)) {
      const name = known.includes(entry.name) ? entry.name : 'others'
      const size = sizes[name] ?? { bytes: 0, files: 0 }
      sizes[name] = size
      await addSize(join(folder, entry.name), size, deadline)
    }
    return sizes
  } catch (error) {
    return { problem: (error as NodeJS.ErrnoException).code ?? 'cannot be read' }
  }
}

async function addSize(path: string, size: Size, deadline: AbortSignal): Promise<void> {
  if (deadline.aborted) {
    size.is_incomplete = true
    return
  }
  const found = await lstat(path).catch(() => undefined)
  // Taken away meanwhile: the database and uploads go on.
  if (found === undefined) return
  if (!found.isDirectory()) {
    size.bytes += found.size
    size.files += 1
    return
  }
  try {
    for await (const entry of await opendir(path)) await addSize(join(path, entry.name), size, deadline)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') size.is_incomplete = true
  }
}
