import { parentPort } from 'node:worker_threads'
import { drawGcode } from '@printyard/print-files/drawing/draw-gcode'
import { PrintFileError } from '@printyard/print-files/print-file-error'
import { readPrintFile } from '@printyard/print-files/read-print-file'
import type { ReadAnswer, ReadRequest } from './print-file-reader.ts'
import { describeVersion } from './version-facts.ts'

// A thread that reads one file at a time. Whatever it throws ends it, and `print-file-reader.ts` makes another.
parentPort?.on('message', async ({ path, plate }: ReadRequest) => {
  parentPort?.postMessage(await read(path, plate))
})

async function read(path: string, plate: number | undefined): Promise<ReadAnswer> {
  try {
    const described = describeVersion(await readPrintFile(path), plate)
    if ('plates' in described) return { outcome: 'no_such_plate', ...described }
    // Where no slicer left a picture, what is printed is drawn.
    described.thumbnail ??=
      (await drawGcode(path, { plate, color: described.facts.filaments[0]?.color ?? null })) ?? null
    return { outcome: 'read', reading: described }
  } catch (error) {
    if (!(error instanceof PrintFileError)) throw error
    if (error.code === 'UNREADABLE') return { outcome: 'unreadable', reason: error.message }
    return { outcome: 'refused', reason: error.message }
  }
}
