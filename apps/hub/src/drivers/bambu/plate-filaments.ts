import { readSliceInfo } from '@printyard/print-files/containers/slice-info'
import { parseXml } from '@printyard/print-files/containers/xml'
import { ZipArchive } from '@printyard/print-files/containers/zip-archive'
import { defaultLimits } from '@printyard/print-files/limits'

/** A filament that a plate uses. */
export interface PlateFilament {
  /** Its position among all filaments of the project, from 0. */
  index: number
  type: string | null
  colorHex: string | null
}

const ENTRY = 'Metadata/slice_info.config'
const MAX_OBJECTS = 1_000

/** The filaments of each plate of a `.gcode.3mf`, by plate number. Rejects when the file is no such archive. */
export async function readPlateFilaments(path: string, signal: AbortSignal): Promise<Map<number, PlateFilament[]>> {
  const archive = await ZipArchive.open(path, defaultLimits, signal)
  try {
    const entry = archive.find(ENTRY)
    if (!entry) return new Map()
    const document = parseXml(await archive.read(entry, defaultLimits.maxXmlBytes), ENTRY, defaultLimits)
    if (!document) return new Map()
    const { plates } = readSliceInfo(document, MAX_OBJECTS)
    return new Map(
      [...plates].map(([plate, { filaments }]) => [
        plate,
        filaments.map(({ index, type, color }) => ({ index, type, colorHex: color })),
      ]),
    )
  } finally {
    archive.close()
  }
}
