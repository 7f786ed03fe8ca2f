import { ufpGcodeName } from './containers/read-archive.ts'
import { listPlates, readPlateGcode } from './containers/read-gcode-3mf.ts'
import { ZipArchive } from './containers/zip-archive.ts'
import { readGcode } from './gcode/read-gcode.ts'
import { resolveLimits } from './limits.ts'
import { PrintFileError } from './print-file-error.ts'
import { type ReadOptions, withRecognizedFile } from './read-print-file.ts'

export interface LayerIndexOptions extends ReadOptions {
  /** Plate number of a `.gcode.3mf`; needed when it has several. */
  plate?: number
}

/**
 * For each layer, the offset at which it starts, in the bytes of the G-code as uploaded (of the unpacked entry for an
 * archive). Printers that report only how far they are in a file are turned into layers with `findLayer`. Empty when
 * the format keeps its layers to itself (`.bgcode`) or the file has none. Throws like `readPrintFile`, and `RangeError`
 * when the asked plate does not exist or none was asked of several.
 */
export async function layerIndex(path: string, options: LayerIndexOptions = {}): Promise<number[]> {
  const limits = resolveLimits(options.limits)
  return withRecognizedFile(path, options.signal, async (kind, file) => {
    if (kind === 'gcode') return (await readGcode(file.chunks(), limits)).layerOffsets
    if (kind !== 'zip') return []
    const archive = await ZipArchive.open(path, limits, options.signal)
    try {
      const plates = listPlates(archive, limits)
      if (plates.length > 0)
        return (await readPlateGcode(archive, choosePlate(plates, options.plate).entry, limits)).layerOffsets
      const ufp = archive.find(ufpGcodeName)
      if (ufp === undefined) throw new PrintFileError('NOT_A_PRINT_FILE', 'The archive holds no G-code.')
      return (await readGcode(archive.stream(ufp, limits.maxGcodeBytes), limits)).layerOffsets
    } finally {
      archive.close()
    }
  })
}

/** Answers how many layers have started at a position in the file: 0 before the first, 1 inside it. */
export function findLayer(offsets: readonly number[], position: number): number {
  let low = 0
  let high = offsets.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (offsets[middle]! <= position) low = middle + 1
    else high = middle
  }
  return low
}

function choosePlate<T extends { index: number }>(plates: readonly T[], wanted: number | undefined): T {
  const listed = plates.map((plate) => plate.index).join(', ')
  if (wanted === undefined && plates.length > 1) throw new RangeError(`Which plate? The file has ${listed}.`)
  const found = wanted === undefined ? plates[0] : plates.find((plate) => plate.index === wanted)
  if (found === undefined) throw new RangeError(`There is no plate ${wanted}; the file has ${listed}.`)
  return found
}
