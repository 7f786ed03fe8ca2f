import { countIn, memberOf, numberIn, textIn, wordIn } from '../wire/wire-values.ts'
import { CANCELLED_ERROR, healthMessages } from './bambu-faults.ts'

type Fields = Record<string, unknown>

/** Reports of a printer so far on this connection. */
export interface BambuPicture {
  /** `print`, merged from full reports and changes. */
  print: Fields
  /** The last `gcode_state` that means something; null before the first. */
  gcodeState: string | null
  /** The highest total of layers of a job: some printers say 0 when it is over. */
  layers: { job: string; total: number } | null
  /** A job that was seen to be cancelled: the error that says so is wiped away while `FAILED` stays. */
  cancelled: string | null
  firmware: string | null
  productName: string | null
  /** A command was refused because it was not signed. */
  isSignatureNeeded: boolean
  /** It said everything once, so that what it leaves out is not there. */
  isWhole: boolean
  /** Codes of faults that a person has acknowledged; they keep the printer from nothing as long as they stay. */
  acknowledged: readonly string[]
  /** It has shown a number that a project was started with: a project without one was started by a person. */
  echoesIds: boolean
}

/** The picture at the beginning of a connection; what was found out about the printer itself stays known. */
export function emptyPicture(before?: BambuPicture): BambuPicture {
  return {
    print: {},
    gcodeState: null,
    layers: null,
    cancelled: null,
    firmware: null,
    productName: null,
    isSignatureNeeded: false,
    isWhole: false,
    acknowledged: before?.acknowledged ?? [],
    echoesIds: before?.echoesIds ?? false,
  }
}

const knownStates = new Set(['IDLE', 'PREPARE', 'SLICING', 'RUNNING', 'PAUSE', 'FINISH', 'FAILED'])
const runningStates = new Set(['PREPARE', 'SLICING', 'RUNNING', 'PAUSE'])

export const isRunning = ({ gcodeState }: BambuPicture) => gcodeState !== null && runningStates.has(gcodeState)

/** True when the printer says that it would take a job. It says so for a while after it has taken one, too. */
export const isFree = ({ gcodeState }: BambuPicture) => gcodeState !== null && !runningStates.has(gcodeState)

/**
 * A message of the report topic merged into the picture. Changes (`msg` 1) and unmarked reports merge deeply; a full one (0)
 * replaces lists as a whole, so that a unit that was taken away is gone. Everything else is ignored.
 */
export function mergeMessage(picture: BambuPicture, message: unknown): BambuPicture {
  const modules = memberOf(message, 'info', 'module')
  if (Array.isArray(modules)) return mergeModules(picture, modules)
  const report = memberOf(message, 'print')
  if (!isObject(report) || memberOf(report, 'command') !== 'push_status') return picture
  const isFull = memberOf(report, 'msg') === 0
  const print = mergeObjects(picture.print, report, isFull, 0)
  const said = textIn(report.gcode_state)?.toUpperCase() ?? ''
  const gcodeState = knownStates.has(said) ? said : picture.gcodeState
  const isWhole =
    picture.isWhole || isFull || (Object.hasOwn(print, 'gcode_file') && Object.hasOwn(print, 'subtask_name'))
  // Another run of the same file is not over because the one before was cancelled.
  const hasBegun = isRunning({ ...picture, gcodeState }) && !isRunning(picture)
  const next = { ...picture, print, gcodeState, isWhole, cancelled: hasBegun ? null : picture.cancelled }
  return { ...next, layers: layersOf(next), cancelled: cancelledOf(next), acknowledged: stillShown(next) }
}

function stillShown({ acknowledged, print, isWhole }: BambuPicture): readonly string[] {
  if (acknowledged.length === 0 || !isWhole) return acknowledged
  const codes = new Set(healthMessages(print.hms).map(({ code }) => code))
  return acknowledged.filter((code) => codes.has(code))
}

/** Mark that stands for a project that was started at the printer itself, or from its card. */
const NO_NUMBER = '0'

/**
 * The printer's own name of the run that it shows now. A printer that shows the numbers of our projects shows `0` for a project
 * that a person prints again by hand; elsewhere nothing tells the two apart but the file.
 */
export function jobIdOf(picture: BambuPicture): string | null {
  const id = subtaskIdOf(picture)
  if (id !== null || !picture.echoesIds || !isRunning(picture)) return id
  return /\.3mf$/i.test(fileNameOf(picture) ?? '') ? NO_NUMBER : null
}

/** The number that a project was started with; null for runs that have none. */
export function subtaskIdOf({ print }: BambuPicture): string | null {
  const id = numberIn(print.subtask_id) ?? textIn(print.subtask_id, 128)
  return id === null || id === 0 ? null : String(id)
}

/** The file of the present or last run, as it is called in the printer's store. */
export function fileNameOf({ print }: BambuPicture): string | null {
  const path = textIn(print.gcode_file, 1_000)?.replaceAll('\\', '/') ?? ''
  const file = path.slice(path.lastIndexOf('/') + 1)
  // Most models name the plate inside the unpacked archive here, the same for every print.
  if (/\.(3mf|gcode)$/i.test(file) && !/^plate_\d+\.gcode$/i.test(file)) return file.slice(0, 255)
  return textIn(print.subtask_name) ?? textIn(file)
}

/** One text for one run; null when the printer names none. */
export function jobOf(picture: BambuPicture): string | null {
  const fileName = fileNameOf(picture)
  return fileName === null ? null : `${subtaskIdOf(picture) ?? ''} ${fileName}`
}

/** The job was seen to be stopped by us; its end counts as cancelled whatever the printer says beside it. */
export function markCancelled(picture: BambuPicture): BambuPicture {
  return { ...picture, cancelled: jobOf(picture) }
}

function layersOf(picture: BambuPicture): BambuPicture['layers'] {
  const job = jobOf(picture)
  if (job === null) return null
  const total = countIn(picture.print.total_layer_num) ?? 0
  if (total > 0) return { job, total }
  return picture.layers?.job === job ? picture.layers : null
}

function cancelledOf(picture: BambuPicture): string | null {
  const job = jobOf(picture)
  if (picture.gcodeState === 'FAILED' && numberIn(picture.print.print_error) === CANCELLED_ERROR) return job
  return picture.cancelled === job ? job : null
}

function mergeModules(picture: BambuPicture, modules: unknown[]): BambuPicture {
  const named = modules.slice(0, 100).filter((module) => textIn(memberOf(module, 'product_name')) !== null)
  const ota = modules.find((module) => memberOf(module, 'name') === 'ota')
  return {
    ...picture,
    firmware: textIn(memberOf(ota, 'sw_ver'), 100) ?? picture.firmware,
    productName: textIn(memberOf(ota ?? named[0], 'product_name'), 100) ?? picture.productName,
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Deeper than any report; what lies below is taken as it is. */
const MAX_DEPTH = 12

function mergeObjects(before: Fields, change: Fields, isFull: boolean, depth: number): Fields {
  const merged = new Map(Object.entries(before))
  for (const [key, value] of Object.entries(change)) {
    merged.set(key, mergeValues(merged.get(key), value, isFull, depth + 1))
  }
  // `fromEntries` makes an own property of every name, also of `__proto__`.
  return Object.fromEntries(merged)
}

function mergeValues(before: unknown, value: unknown, isFull: boolean, depth: number): unknown {
  if (depth > MAX_DEPTH) return value
  if (isObject(value)) {
    // An empty tray is told by leaving everything else out.
    if (isEmptyTray(value)) return value
    return isObject(before) ? mergeObjects(before, value, isFull, depth) : value
  }
  if (!Array.isArray(value) || !Array.isArray(before) || isFull) return value
  const haveIds = [...before, ...value].every((entry) => isObject(entry) && wordIn(entry.id) !== null)
  return haveIds && value.length > 0 ? mergeById(before, value, depth) : value
}

function mergeById(before: Fields[], changes: Fields[], depth: number): unknown[] {
  const byId = new Map<string, unknown>(before.map((entry) => [String(entry.id), entry]))
  for (const change of changes) {
    byId.set(String(change.id), mergeValues(byId.get(String(change.id)), change, false, depth + 1))
  }
  return [...byId.values()]
}

function isEmptyTray(value: Fields): boolean {
  const keys = Object.keys(value)
  return keys.includes('id') && keys.every((key) => key === 'id' || key === 'state')
}
