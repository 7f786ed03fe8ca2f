import { open } from 'node:fs/promises'

/** What is read of a log, from its end. */
const mostBytes = 1024 * 1024
const mostLines = 3_000

/** The last lines of a log file and of those that it was rotated to (`FILE.1`, `FILE.2` …), the oldest first. */
export async function readLastLines(file: string): Promise<string[]> {
  let text = ''
  for (let number = 0; text.length < mostBytes; number += 1) {
    const part = await readEnd(number === 0 ? file : `${file}.${number}`, mostBytes - text.length)
    if (part === undefined) {
      // The first may be away for a moment while it is rotated.
      if (number > 0) break
      continue
    }
    text = part + text
  }
  return lastLinesOf(text)
}

export function lastLinesOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.slice(-mostLines)
}

/** The end of a file from a whole line on; undefined where there is none. */
async function readEnd(path: string, bytes: number): Promise<string | undefined> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (file === undefined) return undefined
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - bytes)
    const buffer = Buffer.alloc(size - start)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start)
    const text = buffer.toString('utf8', 0, bytesRead)
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1)
  } finally {
    await file.close()
  }
}
