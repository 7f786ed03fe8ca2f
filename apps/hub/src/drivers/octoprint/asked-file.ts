import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { textIn } from '../wire/wire-values.ts'

/** The last file that this hub asked the printer to print, kept over restarts of the hub: its end can be looked up. */
interface AskedFile {
  readonly path: string | null
  /** `null` when something else was printed since. Throws when it cannot be written. */
  replace(path: string | null): void
}

export function openAskedFile(dataDir: string, printerId: string): AskedFile {
  const file = join(dataDir, 'octoprint-starts', encodeURIComponent(printerId))
  let path = readAsked(file)
  return {
    get path() {
      return path
    },
    replace(next) {
      if (next === path) return
      path = next
      if (next === null) return rmSync(file, { force: true })
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, next)
    },
  }
}

function readAsked(file: string): string | null {
  try {
    return textIn(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
