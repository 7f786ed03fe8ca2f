import { open } from 'node:fs/promises'

/** Makes a file that was renamed or made in the directory last through a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
