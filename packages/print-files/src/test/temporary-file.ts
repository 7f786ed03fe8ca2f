import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Writes bytes to a file of its own, hands the path over, and removes it afterwards. For tests only. */
export async function withTemporaryFile<T>(bytes: Uint8Array | string, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'print-file-'))
  try {
    // The name says nothing on purpose: formats are told by content.
    const path = join(folder, 'upload')
    await writeFile(path, bytes)
    return await use(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}
