import { sortThumbnails } from '../images/thumbnails.ts'
import type { Limits } from '../limits.ts'
import { type PrintFacts, unknownFacts, unknownFilament } from '../print-file.ts'
import { knownSeconds } from '../settings/durations.ts'
import { completeAmounts, markEstimated } from '../settings/filament-weight.ts'
import { detectSlicer } from './detect-slicer.ts'
import { readBambu } from './dialect-bambu.ts'
import { readCura, readGriffin } from './dialect-cura.ts'
import { readOthers } from './dialect-others.ts'
import { estimateLayerCount, readPrusa } from './dialect-prusa.ts'
import { type GcodeComments, readComments } from './gcode-comments.ts'
import type { GcodeReading } from './gcode-reading.ts'
import { GcodeScan } from './gcode-scan.ts'
import { HeadAndTail } from './head-and-tail.ts'
import { addExtent } from './plate-extent.ts'

/** Slicers put what they know within this much of either end. */
const metadataBytes = 1024 * 1024

/** G-code read to its end. */
export interface ReadGcode {
  facts: PrintFacts
  slicer: string | null
  slicerVersion: string | null
  /** Offset of each layer in the bytes as given. */
  layerOffsets: number[]
}

/** Reads G-code from its bytes in one pass, holding a few MiB however long it is. */
export async function readGcode(chunks: AsyncIterable<Buffer>, limits: Limits): Promise<ReadGcode> {
  const ends = new HeadAndTail(metadataBytes)
  const scan = new GcodeScan(limits)
  let position = 0
  let zeroAt: number | undefined
  for await (const chunk of chunks) {
    if (position === 0) scan.followsMoves = !saysEverything(chunk)
    if (zeroAt === undefined) {
      const found = chunk.indexOf(0)
      if (found !== -1) zeroAt = position + found
    }
    position += chunk.length
    ends.push(chunk)
    scan.push(chunk)
  }
  scan.end()

  const comments = commentsOf(ends)
  const detected = detectSlicer(comments.lines)
  const reading: GcodeReading = { comments, scan, limits, facts: unknownFacts(), bodies: new Map() }
  const { facts } = reading
  if (detected?.dialect === 'bambu') readBambu(reading)
  else if (detected?.dialect === 'cura') readCura(reading)
  else if (detected?.dialect === 'griffin') readGriffin(reading)
  else if (detected === undefined || detected.dialect === 'prusa') readPrusa(reading)
  else readOthers(detected.dialect, reading)

  addWhatTheMovesSay(reading)
  completeAmounts(facts, (filament) => reading.bodies.get(filament.index) ?? {})
  warnWhenMoving(ends, facts)
  if (zeroAt !== undefined)
    facts.warnings.push(`There are zero bytes from offset ${zeroAt} on: the file may be damaged.`)
  return {
    facts,
    slicer: detected?.slicer ?? null,
    slicerVersion: detected?.slicerVersion ?? null,
    layerOffsets: scan.markedLayers()?.offsets ?? scan.moves.layerOffsets,
  }
}

const finding = 'the file may be cut short'
const fewLines = 200

/** A print ends with switching off, not with a move that extrudes: a file that ends so lost its end. */
function warnWhenMoving(ends: HeadAndTail, facts: PrintFacts): void {
  if (facts.warnings.some((warning) => warning.includes(finding))) return
  const bytes = ends.tail.length > 0 ? ends.tail : ends.head
  const lines = bytes
    .subarray(Math.max(0, bytes.length - 65_536))
    .toString('latin1')
    .split('\n')
  // A few lines are no print, and the first may be a part of one.
  if (lines.length < fewLines) return
  // The very last line may lack its end.
  const last = lines.filter((line) => /^\s*[^;\s]/.test(line)).slice(-2)
  const isMoving = last.every((line) => /^\s*G[0-3]\b/i.test(line))
  if (isMoving && last.some((line) => /^[^;]*\b[XY]-?[\d.][^;]*\bE\.?\d/i.test(line))) {
    facts.warnings.push(`The file ends in the middle of the print: ${finding}.`)
  }
}

/** True when the first lines are signed by a slicer that marks its layers and writes its amounts. */
function saysEverything(start: Buffer): boolean {
  const detected = detectSlicer(readComments(start.subarray(0, 4096)).lines)
  return detected?.dialect === 'bambu' || (detected?.dialect === 'prusa' && detected.slicer !== 'Slic3r')
}

function commentsOf(ends: HeadAndTail): GcodeComments {
  return ends.isWhole ? readComments(Buffer.concat([ends.head, ends.tail])) : readComments(ends.head, ends.tail)
}

/** Fills what the slicer left unknown: exact where its marks say it, estimated where only the moves do. */
function addWhatTheMovesSay({ scan, facts, limits }: GcodeReading): void {
  const marked = scan.markedLayers()
  facts.layerCount ??= marked?.count ?? null
  facts.maxZMm ??= scan.markedZMm
  if (facts.maxZMm === null && scan.moves.maxZMm !== null && scan.moves.maxZMm > 0) {
    facts.maxZMm = Number(scan.moves.maxZMm.toFixed(3))
    markEstimated(facts, 'maxZMm')
  }
  if (facts.layerCount === null && scan.moves.layerCount > 0) {
    facts.layerCount = scan.moves.layerCount
    markEstimated(facts, 'layerCount')
  }
  estimateLayerCount(facts)
  if (facts.printTimeSeconds === null && scan.remainingMinutes !== null) {
    facts.printTimeSeconds = knownSeconds(scan.remainingMinutes * 60)
    if (facts.printTimeSeconds !== null) markEstimated(facts, 'printTimeSeconds')
  }
  addFedFilament(scan, facts)
  if (facts.nozzleTempC.length === 0) {
    facts.nozzleTempC = [...scan.nozzleTempC].sort(([a], [b]) => a - b).map(([, tempC]) => tempC)
  }
  facts.bedTempC ??= scan.bedTempC
  facts.chamberTempC ??= scan.chamberTempC
  if (facts.objects.length === 0) facts.objects = [...scan.objects.values()]
  addExtent(facts)
  facts.thumbnails = sortThumbnails(scan.thumbnails.thumbnails)
  facts.reviewCommands = [...scan.review.values()]
  facts.warnings.push(...scan.thumbnails.warnings)
  if (scan.cutLines > 0) {
    facts.warnings.push(`${scan.cutLines} lines are longer than ${limits.maxLineBytes} bytes and were read cut.`)
  }
}

/** Lengths from the moves where the slicer gave no amounts at all. */
function addFedFilament(scan: GcodeScan, facts: PrintFacts): void {
  const isMeasured = facts.filaments.some(
    ({ lengthMm, volumeCm3, weightG }) => lengthMm !== null || volumeCm3 !== null || weightG !== null,
  )
  const fed = scan.moves.lengthByTool()
  if (isMeasured || fed.size === 0) return
  const known = new Map(facts.filaments.map((filament) => [filament.index, filament]))
  facts.filaments = [...fed].map(([tool, lengthMm]) => ({ ...(known.get(tool) ?? unknownFilament(tool)), lengthMm }))
  markEstimated(facts, 'lengthMm', 'totalLengthMm')
}
