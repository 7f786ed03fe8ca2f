import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readPrintFile } from './read-print-file.ts'

const demoFile = fileURLToPath(new URL('../../../apps/server/demo-files/shelf-bracket_mk4s_pla.gcode', import.meta.url))
const mebibyte = 1024 * 1024

test('a file of 200 MB is read with less than 60 MB of memory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'print-file-'))
  try {
    const path = join(folder, 'large')
    const piece = await readFile(demoFile)
    const handle = await open(path, 'w')
    let written = 0
    while (written < 200 * mebibyte) written += (await handle.write(piece)).bytesWritten
    await handle.close()
    await readPrintFile(demoFile)

    const before = process.memoryUsage().rss
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss)
    }, 10)
    const file = await readPrintFile(path)
    clearInterval(watch)

    expect(file.layerCount).toBe(100 * Math.round(written / piece.length))
    expect(most - before).toBeLessThan(60 * mebibyte)
  } finally {
    await rm(folder, { recursive: true })
  }
})
