import type { FileToPrint } from '@printyard/protocol/commands'
import type { UsedFilament } from '../drivers/print/filament-map.ts'

const ENTRY = 'Metadata/slice_info.config'
const MAX_OBJECTS = 1_000

/**
 * The filaments that a print uses, as its file tells; null where it does not. Of an archive only the list of the plate is read, of
 * G-code all of it. Rejects when the signal aborts, and with the error of the disk or the reader.
 */
export async function readUsedFilaments(
  path: string,
  { format, archive_plate }: Pick<FileToPrint, 'format' | 'archive_plate'>,
  signal: AbortSignal,
): Promise<UsedFilament[] | null> {
  const filaments =
    format === 'gcode-3mf' ? await readPlate(path, archive_plate ?? 1, signal) : await readGcode(path, signal)
  const used = filaments.map(({ index, type, color }) => ({ index, type, colorHex: color }))
  return used.length > 0 ? used : null
}

// The readers are loaded when they are needed: most hubs never do.
async function readPlate(path: string, plate: number, signal: AbortSignal) {
  const { defaultLimits } = await import('@printyard/print-files/limits')
  const { readSliceInfo } = await import('@printyard/print-files/containers/slice-info')
  const { parseXml } = await import('@printyard/print-files/containers/xml')
  const { ZipArchive } = await import('@printyard/print-files/containers/zip-archive')
  const archive = await ZipArchive.open(path, defaultLimits, signal)
  try {
    const entry = archive.find(ENTRY)
    const document = entry && parseXml(await archive.read(entry, defaultLimits.maxXmlBytes), ENTRY, defaultLimits)
    return document ? (readSliceInfo(document, MAX_OBJECTS).plates.get(plate)?.filaments ?? []) : []
  } finally {
    archive.close()
  }
}

async function readGcode(path: string, signal: AbortSignal) {
  const { readPrintFile } = await import('@printyard/print-files/read-print-file')
  return (await readPrintFile(path, { signal })).filaments
}
