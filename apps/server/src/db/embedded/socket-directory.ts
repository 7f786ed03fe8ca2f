import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'

/** Longest usable path of a Unix socket in bytes: sockaddr_un without its final zero byte. */
const longestSocketPath = process.platform === 'darwin' ? 103 : 107

export interface SocketDirectory {
  /** A path for the named socket that fits the limit, valid in this process until `close`. */
  path(name: string): string
  close(): void
}

/**
 * Sockets live inside the data directory, however deep that is. Where the path would pass the limit of the operating
 * system, Linux lets us name an open directory by its number (`/proc/self/fd/7`), so nothing has to move to a shared
 * temporary directory, where cleaners, private mounts and other users would get in the way.
 */
export function openSocketDirectory(directory: string, longestName = 40): SocketDirectory {
  if (Buffer.byteLength(join(directory, 'x'.repeat(longestName))) <= longestSocketPath) {
    return { path: (name) => join(directory, name), close: () => undefined }
  }
  if (!existsSync('/proc/self/fd')) {
    throw Object.assign(
      new Error(`The path ${directory} is too long for a socket; choose a shorter PRINTYARD_DATA_DIR`),
      {
        code: 'ENAMETOOLONG',
      },
    )
  }
  const handle = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY)
  let isOpen = true
  return {
    path: (name) => `/proc/self/fd/${handle}/${name}`,
    close() {
      if (isOpen) closeSync(handle)
      isOpen = false
    },
  }
}
