import { randomUUID } from 'node:crypto'
import { link, open, rm } from 'node:fs/promises'

/**
 * Writes a file that only its owner can read, unless it is there. It appears whole and on the disk, by a hard link that one of several
 * writers at once can make: afterwards all of them read the same text from it, which need not be their own.
 */
export async function writeSecretOnce(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(temporary, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(temporary, { force: true })
  }
}
