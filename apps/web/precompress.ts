import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { Plugin } from 'vite'

const encoders = {
  '.br': (content: Buffer) =>
    promisify(brotliCompress)(content, {
      params: { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
  '.gz': (content: Buffer) => promisify(gzip)(content, { level: 9 }),
}

/** What is smaller than this travels in one packet anyway. */
const leastBytes = 1_000

/**
 * Writes each script, style and WebAssembly module a second and third time, compressed as well as it can be: once here, instead of with each
 * answer. The page itself is left out, because the service writes into it.
 */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      if (dir === undefined) throw new Error('vite was given no folder to build into')
      const names = Object.keys(bundle).filter((name) => /\.(js|css|svg|wasm)$/.test(name))
      await Promise.all(names.map((name) => compressFile(join(dir, name))))
    },
  }
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path)
  if (content.length < leastBytes) return
  for (const [ending, compress] of Object.entries(encoders)) {
    const compressed = await compress(content)
    if (compressed.length < content.length) await writeFile(path + ending, compressed)
  }
}
