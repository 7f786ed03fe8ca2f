import { ufpGcodeName } from '../containers/read-archive.ts'
import { listPlates } from '../containers/read-gcode-3mf.ts'
import { type ArchiveEntry, ZipArchive } from '../containers/zip-archive.ts'
import { Toolpath } from '../gcode/toolpath.ts'
import { encodePng } from '../images/png.ts'
import { type Limits, resolveLimits } from '../limits.ts'
import type { Thumbnail } from '../print-file.ts'
import { type ReadOptions, withRecognizedFile } from '../read-print-file.ts'
import { PlateBounds } from './plate-bounds.ts'
import { PlateCanvas } from './plate-canvas.ts'

/** In pixels. */
const side = 300

/** G-code that is longer is not drawn: it is read twice, and a picture is not worth half a minute. */
const mostBytes = 512 * 1024 * 1024

/** Where nothing is said of the filament. */
const anyFilament = [84, 170, 156] as const

/** Darker colours would show no shape. */
const darkest = 70

interface DrawOptions extends ReadOptions {
  /** `#1f6feb`: what it is drawn in. */
  color?: string | null
  /** Which plate of an archive; the first one when it is left out. */
  plate?: number | undefined
}

/**
 * Draws what a G-code file prints, or a plate of an archive with G-code in it, for files in which no slicer left a picture: a transparent
 * PNG, seen from the front left. Undefined for files of other formats, for those that lay no filament, and for G-code of more than
 * 512 MiB. Throws like `readPrintFile`.
 */
export async function drawGcode(path: string, options: DrawOptions = {}): Promise<Thumbnail | undefined> {
  const limits = resolveLimits(options.limits)
  const look = { maxLineBytes: limits.maxLineBytes, color: toRgb(options.color) }
  return withRecognizedFile(path, options.signal, async (kind, file) => {
    if (kind === 'gcode') return file.size > mostBytes ? undefined : draw(() => file.chunks(), look)
    if (kind !== 'zip') return undefined
    const archive = await ZipArchive.open(path, limits, options.signal)
    try {
      const entry = gcodeIn(archive, limits, options.plate)
      if (entry === undefined || entry.claimedBytes > mostBytes) return undefined
      return await draw(() => archive.stream(entry, mostBytes), look)
    } finally {
      archive.close()
    }
  })
}

function gcodeIn(archive: ZipArchive, limits: Limits, plate: number | undefined): ArchiveEntry | undefined {
  const plates = listPlates(archive, limits)
  if (plates.length === 0) return archive.find(ufpGcodeName)
  return plates.find(({ index }) => plate === undefined || index === plate)?.entry
}

type Chunks = () => AsyncIterable<Buffer>

/** Once for where the print lies, and once more to draw it. */
async function draw(
  chunks: Chunks,
  { maxLineBytes, color }: { maxLineBytes: number; color: readonly [number, number, number] },
): Promise<Thumbnail | undefined> {
  const bounds = new PlateBounds()
  await follow(chunks, new Toolpath(maxLineBytes, (fromX, fromY, toX, toY, z) => bounds.add(fromX, fromY, toX, toY, z)))
  const found = bounds.found()
  if (found === undefined) return undefined
  const canvas = new PlateCanvas(found, side, color)
  await follow(
    chunks,
    new Toolpath(maxLineBytes, (fromX, fromY, toX, toY, z) => canvas.line(fromX, fromY, toX, toY, z)),
  )
  return { width: side, height: side, mime: 'image/png', bytes: encodePng(side, side, canvas.pixels()) }
}

async function follow(chunks: Chunks, toolpath: Toolpath): Promise<void> {
  for await (const chunk of chunks()) toolpath.push(chunk)
  toolpath.end()
}

function toRgb(color: string | null | undefined): readonly [number, number, number] {
  const hex = /^#([0-9a-f]{6})/i.exec(color ?? '')?.[1]
  if (hex === undefined) return anyFilament
  const [red, green, blue] = [0, 2, 4].map((at) => Math.max(darkest, Number.parseInt(hex.slice(at, at + 2), 16)))
  return [red!, green!, blue!]
}
