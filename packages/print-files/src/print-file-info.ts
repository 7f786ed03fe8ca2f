import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Filament, PrintFacts, PrintFile } from './print-file.ts'
import { PrintFileError } from './print-file-error.ts'
import { readPrintFile } from './read-print-file.ts'

const usage = `Usage: print-file-info [--json] [--thumbnail OUT.png] FILE…

Prints what sliced files say about themselves.

  --json            one JSON object per file and line; pictures by size only
  --thumbnail OUT   writes the best picture of the (single) file to OUT
  --help            this text

Exit code: 0 all files were read, 1 a file was refused, 2 wrong usage.
`

/** Output of the command; the process's own streams outside of tests. */
interface Output {
  out(text: string): void
  err(text: string): void
}

/** Runs the command with its arguments and returns its exit code. */
export async function runPrintFileInfo(args: string[], output: Output): Promise<number> {
  const parsed = parseArguments(args)
  if (typeof parsed === 'string') {
    output.err(`${parsed}\n\n${usage}`)
    return 2
  }
  if (parsed.isHelp) {
    output.out(usage)
    return 0
  }
  let exitCode = 0
  for (const path of parsed.paths) {
    try {
      const file = await readPrintFile(path)
      output.out(
        parsed.isJson
          ? `${JSON.stringify({ path, ...withoutPictures(file), plates: file.plates.map(withoutPictures) })}\n`
          : describe(path, file),
      )
      if (parsed.thumbnailPath !== undefined && !(await saveThumbnail(file, parsed.thumbnailPath, path, output)))
        exitCode = 1
    } catch (error) {
      if (!(error instanceof PrintFileError)) throw error
      exitCode = 1
      if (parsed.isJson)
        output.out(`${JSON.stringify({ path, error: { code: error.code, message: error.message } })}\n`)
      else output.err(`${printable(path)}: ${error.code}: ${error.message}\n`)
    }
  }
  return exitCode
}

interface Arguments {
  isHelp: boolean
  isJson: boolean
  thumbnailPath: string | undefined
  paths: string[]
}

function parseArguments(args: string[]): Arguments | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: 'boolean' }, thumbnail: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    })
    const isHelp = values.help ?? false
    if (!isHelp && positionals.length === 0) return 'No file was named.'
    if (values.thumbnail !== undefined && positionals.length > 1) return '--thumbnail goes with a single file.'
    return { isHelp, isJson: values.json ?? false, thumbnailPath: values.thumbnail, paths: positionals }
  } catch (error) {
    // parseArgs throws TypeError with a sentence for people.
    if (error instanceof TypeError) return error.message
    throw error
  }
}

async function saveThumbnail(file: PrintFile, target: string, path: string, output: Output): Promise<boolean> {
  const best = file.thumbnails.find((thumbnail) => thumbnail.mime === 'image/png')
  if (best === undefined) {
    output.err(`${printable(path)}: there is no PNG picture in it.\n`)
    return false
  }
  try {
    await writeFile(target, best.bytes)
  } catch (error) {
    output.err(`${printable(target)}: cannot be written: ${error instanceof Error ? error.message : String(error)}\n`)
    return false
  }
  return true
}

/** Pictures by their size alone: a reader of JSON lines wants lines. */
function withoutPictures<T extends PrintFacts>(facts: T) {
  const thumbnails = facts.thumbnails.map(({ bytes, ...rest }) => ({ ...rest, byteCount: bytes.length }))
  return { ...facts, thumbnails }
}

function describe(path: string, file: PrintFile): string {
  const slicer = [file.slicer, file.slicerVersion].filter(Boolean).join(' ')
  const rows: [string, string][] = [
    ['format', file.isSliced ? file.format : `${file.format} (a model: slice it first)`],
    ['slicer', slicer],
    ...factRows(file.plates.length > 1 ? { ...file, warnings: [] } : file),
  ]
  const plates = file.plates.length < 2 ? [] : file.plates
  const plateText = plates.map(
    (plate) => `  plate ${plate.index}${plate.name ? ` "${plate.name}"` : ''}\n${format(factRows(plate), 4)}`,
  )
  return printable(`${path}\n${format(rows, 2)}${plateText.join('')}`)
}

function factRows(facts: PrintFacts): [string, string][] {
  const about = (field: string, text: string) => (facts.estimated.includes(field) ? `about ${text}` : text)
  return [
    ['printer', facts.printerModel ?? ''],
    ['profile', facts.printProfile ?? ''],
    ['time', facts.printTimeSeconds === null ? '' : about('printTimeSeconds', duration(facts.printTimeSeconds))],
    ...facts.filaments.map((filament): [string, string] => ['filament', describeFilament(filament, about)]),
    ['weight', facts.totalWeightG === null ? '' : about('totalWeightG', `${facts.totalWeightG} g`)],
    ['layers', facts.layerCount === null ? '' : about('layerCount', String(facts.layerCount))],
    ['layer height', facts.layerHeightMm === null ? '' : `${facts.layerHeightMm} mm`],
    ['height', facts.maxZMm === null ? '' : about('maxZMm', `${facts.maxZMm} mm`)],
    ['nozzle', facts.nozzleDiametersMm.map((diameter) => `${diameter} mm`).join(', ')],
    ['temperatures', temperatures(facts)],
    ['bed', facts.bedType ?? ''],
    [
      'objects',
      facts.objects
        .map((object) => object.name)
        .slice(0, 10)
        .join(', '),
    ],
    ['pictures', facts.thumbnails.map(({ width, height }) => `${width}x${height}`).join(', ')],
    [
      'please review',
      facts.reviewCommands.map(({ command, firstLine }) => `${command} (line ${firstLine})`).join(', '),
    ],
    ...facts.warnings.map((warning): [string, string] => ['warning', warning]),
  ]
}

function describeFilament(filament: Filament, about: (field: string, text: string) => string): string {
  const { index, type, color, presetId, lengthMm, weightG } = filament
  const amounts = [
    weightG === null ? null : about('weightG', `${weightG} g`),
    lengthMm === null ? null : about('lengthMm', `${(lengthMm / 1000).toFixed(2)} m`),
  ]
  return [`#${index + 1}`, type, color, presetId, ...amounts].filter(Boolean).join('  ')
}

function temperatures({ nozzleTempC, bedTempC, chamberTempC }: PrintFacts): string {
  const parts = [nozzleTempC.length === 0 ? '' : `nozzle ${nozzleTempC.join('/')} °C`]
  if (bedTempC !== null) parts.push(`bed ${bedTempC} °C`)
  if (chamberTempC !== null) parts.push(`chamber ${chamberTempC} °C`)
  return parts.filter(Boolean).join(', ')
}

function duration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.round((seconds % 3600) / 60)]
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes} min`
}

function format(rows: readonly [string, string][], indent: number): string {
  return rows
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `${' '.repeat(indent)}${label.padEnd(15)}${text}\n`)
    .join('')
}

/** Names in files are foreign text; none of it may steer a terminal. */
function printable(text: string): string {
  return text.replace(/[^\P{C}\n]/gu, '�')
}
