import { detectSlicer } from './gcode/detect-slicer.ts'
import { readComments } from './gcode/gcode-comments.ts'

/** Bytes of a file's beginning that are looked at to tell what it is. */
export const recognizedBytes = 64 * 1024

export type ContentKind = 'zip' | 'bgcode' | 'gcode' | 'stl' | 'obj' | 'amf'

/**
 * Answers what a file is by its first bytes, or undefined. `size` is that of the whole file: a binary STL has no magic but an
 * exact size.
 */
export function recognize(head: Buffer, size: number): ContentKind | undefined {
  if (head.length >= 4 && head.readUInt32LE(0) === 0x04034b50) return 'zip'
  if (head.toString('latin1', 0, 4) === 'GCDE') return 'bgcode'
  if (size >= 84 && head.length >= 84 && size === 84 + 50 * head.readUInt32LE(80)) return 'stl'
  const zeroAt = head.indexOf(0)
  // A file may have been cut short by a crash and be zeros from there on; what comes before is still text.
  const text = (zeroAt === -1 ? head : head.subarray(0, zeroAt)).toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '')
  if (/^\s*solid\b/.test(text) && /^[ \t]*(facet|endsolid)\b/m.test(text)) return 'stl'
  if (/^\s*<\?xml[^>]*>\s*(?:<!--(?:(?!-->).)*-->\s*)*<amf\b|^\s*<amf\b/is.test(text)) return 'amf'
  if (isGcode(text)) return 'gcode'
  if (
    /^v[ \t]+-?[\d.]+[ \t]+-?[\d.]+[ \t]+-?[\d.]+/m.test(text) &&
    /^(#|(v|vn|vt|f|o|g|s|mtllib|usemtl)\b)/.test(text.trimStart())
  )
    return 'obj'
  return undefined
}

const command = /^(N\d+\s*)?[GMT]\d+(\.\d+)?($|[\s;*(XYZEFSPR])/i
/** Klipper's macros and extended commands: words in capitals. */
const macro = /^[A-Z][A-Z0-9_]{2,60}($|\s+[A-Z_0-9]+=|\s*;|\s*$)/

/** Text is G-code when a slicer signed it, or when there are commands and little that is none. */
function isGcode(text: string): boolean {
  const lines = text.split('\n', 2_000).map((line) => line.trim())
  let commands = 0
  let macros = 0
  let others = 0
  for (const line of lines.slice(0, -1).concat(lines.length === 1 ? lines : [])) {
    if (line === '' || line.startsWith(';') || line.startsWith('(') || line === '%') continue
    if (command.test(line)) commands++
    else if (macro.test(line)) macros++
    else others++
  }
  if (commands > 0 && commands + macros > others) return true
  return others <= commands + macros && detectSlicer(readComments(Buffer.from(text, 'latin1')).lines) !== undefined
}
