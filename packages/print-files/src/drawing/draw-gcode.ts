import type { FileBytes } from '../containers/file-bytes.ts'
import { Toolpath } from '../gcode/toolpath.ts'
import { encodePng } from '../images/png.ts'
import { resolveLimits } from '../limits.ts'
import type { Thumbnail } from '../print-file.ts'
import { type ReadOptions, withRecognizedFile } from '../read-print-file.ts'
import { PlateBounds } from './plate-bounds.ts'
import { PlateCanvas } from './plate-canvas.ts'

/** In pixels. */
const side = 300

/** A file that is longer is not drawn: it is read twice, and a picture is not worth half a minute. */
const mostBytes = 512 * 1024 * 1024

/** Where nothing is said of the filament. */
const anyFilament = [84, 170, 156] as const

/** Darker colours would show no shape. */
const darkest = 70

interface DrawOptions extends ReadOptions {
  /** `#1f6feb`: what it is drawn in. */
  color?: string | null
}

/**
 * Draws what a G-code file prints, for files in which no slicer left a picture: a transparent PNG, seen from the front left. Undefined
 * for files of other formats, for those that lay no filament, and for those of more than 512 MiB. Throws like `readPrintFile`.
 */
export async function drawGcode(path: string, options: DrawOptions = {}): Promise<Thumbnail | undefined> {
  const { maxLineBytes } = resolveLimits(options.limits)
  return withRecognizedFile(path, options.signal, async (kind, file) => {
    if (kind !== 'gcode' || file.size > mostBytes) return undefined
    const bounds = new PlateBounds()
    await follow(file, new Toolpath(maxLineBytes, (fromX, fromY, toX, toY, z) => bounds.add(fromX, fromY, toX, toY, z)))
    const found = bounds.found()
    if (found === undefined) return undefined
    const canvas = new PlateCanvas(found, side, toRgb(options.color))
    await follow(
      file,
      new Toolpath(maxLineBytes, (fromX, fromY, toX, toY, z) => canvas.line(fromX, fromY, toX, toY, z)),
    )
    return { width: side, height: side, mime: 'image/png', bytes: encodePng(side, side, canvas.pixels()) }
  })
}

async function follow(file: FileBytes, toolpath: Toolpath): Promise<void> {
  for await (const chunk of file.chunks()) toolpath.push(chunk)
  toolpath.end()
}

function toRgb(color: string | null | undefined): readonly [number, number, number] {
  const hex = /^#([0-9a-f]{6})/i.exec(color ?? '')?.[1]
  if (hex === undefined) return anyFilament
  const [red, green, blue] = [0, 2, 4].map((at) => Math.max(darkest, Number.parseInt(hex.slice(at, at + 2), 16)))
  return [red!, green!, blue!]
}
