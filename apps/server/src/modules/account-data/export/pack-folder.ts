import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { blockBytes, endOfArchive, headerOf } from '../format/tar.ts'

/** Writes all files below a folder into one `.tar.gz`, which appears whole or not at all. */
export async function packFolder(folder: string, path: string, draft: string): Promise<void> {
  try {
    const file = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline([Readable.from(entriesOf(folder)), createGzip({ level: 6 }), file])
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

async function* entriesOf(folder: string): AsyncGenerator<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  // The manifest first: anyone who reads the archive from its start knows what comes.
  const named = paths.map((path) => ({ path, name: relative(folder, path).split(sep).join('/') }))
  const rank = ({ name }: { name: string }) => (name === 'manifest.json' ? 0 : name === 'SHA256SUMS' ? 1 : 2)
  for (const { path, name } of named.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))) {
    const { size, mtimeMs } = await stat(path)
    yield headerOf({ name, size, mtimeSeconds: Math.floor(mtimeMs / 1000) })
    for await (const piece of createReadStream(path)) yield piece as Buffer
    const rest = size % blockBytes
    if (rest > 0) yield Buffer.alloc(blockBytes - rest)
  }
  yield endOfArchive
}
