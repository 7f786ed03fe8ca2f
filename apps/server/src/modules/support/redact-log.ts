import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { settings } from '../../kernel/config.ts'
import { catalogue } from '../../kernel/errors.ts'
import { idPrefixes } from '../../kernel/ids.ts'
import { logWords, properWords } from './log-words.ts'

const programRoot = fileURLToPath(new URL('../../../../../', import.meta.url))

const idPattern = new RegExp(`^(?:${Object.values(idPrefixes).join('|')})_[0-9a-z]{26}$`)
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/
const levels = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
const variables = new Set<string>(Object.values(settings).map(({ variable }) => variable))
const errorCodes = new Set<string>([...Object.keys(catalogue), ...Object.keys(constants.errno)])
/** The classes of PostgreSQL's codes, from the appendix of its documentation. */
const sqlStateClass = /^(?:0[0-9ABDEFLPZ]|2[0-8BDF]|3[489BDF]|4[024]|5[345678]|72|F0|HV|P0|XX)[0-9A-Z]{3}$/

/** Fields of log lines whose numbers tell of the program alone. */
const numberFields = new Set(
  (
    'pid count took_ms waited_s ms bytes lines lines_lost status status_code statusCode code attempts attempt tries ' +
    'printers printer_periods settle prints events hubs jobs port seconds size version position ahead_ms delay_ms ' +
    'retry_after_ms duration_ms responseTime errno'
  ).split(' '),
)

/** What a field may hold to be shown; undefined where it is left out. */
type Rule = (value: unknown) => unknown

const textOf =
  (isAllowed: (text: string) => boolean): Rule =>
  (value) =>
    typeof value === 'string' && isAllowed(value) ? value : undefined

const words: Rule = (value) => (typeof value === 'string' ? redactText(value) : undefined)

const rules: Record<string, Rule> = {
  time: textOf((text) => timePattern.test(text)),
  level: textOf((text) => levels.has(text)),
  msg: words,
  message: words,
  reason: words,
  problem: words,
  how: words,
  process: words,
  kind: words,
  setting: textOf((text) => variables.has(text)),
  signal: textOf((text) => Object.hasOwn(constants.signals, text)),
  actor: textOf((text) => text === 'cli' || text === 'system' || idPattern.test(text.replace(/^[a-z]+:/, ''))),
  code: textOf(isKnownCode),
}

/** True when a text is an error code of this program, of PostgreSQL or of the system, and no text of someone. */
export function isKnownCode(text: string): boolean {
  return (
    errorCodes.has(text) ||
    sqlStateClass.test(text) ||
    /^(?:BACKUP|POSTGRES|DATABASE|DATA_DIRECTORY|MIGRATION)_[A-Z_]{3,25}$/.test(text)
  )
}

/** True when a text is an ID as this program makes them. */
export function isOwnId(text: string): boolean {
  return idPattern.test(text)
}

/**
 * A line of the log as it may be shown to strangers: by lists of what may stand there, so that what is not known is left out. A line
 * that is no JSON object keeps its known words.
 */
export function redactLine(line: string): string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return redactText(line)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return redactText(line)
  return JSON.stringify(redactObject(value))
}

function redactObject(value: object, depth = 0): object {
  const shown: Record<string, unknown> = {}
  let omitted = 0
  for (const [name, content] of Object.entries(value)) {
    const kept = redactField(name, content, depth)
    if (kept === undefined) omitted += 1
    else shown[name] = kept
  }
  return omitted === 0 ? shown : { ...shown, fields_left_out: omitted }
}

/** Names of fields are shown only where they are known. */
function redactField(name: string, value: unknown, depth: number): unknown {
  if (name === 'err' || name === 'cause')
    return typeof value === 'object' && value !== null ? redactError(value, depth) : undefined
  if (typeof value === 'number') return numberFields.has(name) ? value : undefined
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
  if (rule !== undefined) return rule(value)
  const isId = /^(?:account|user|hub|printer|job|attempt|command|channel|webhook|session|api_key)_id$/.test(name)
  return isId && typeof value === 'string' && idPattern.test(value) ? value : undefined
}

/** Causes of causes are shown this deep. */
const deepest = 3

function redactError(error: object, depth: number): object | undefined {
  if (depth === deepest) return undefined
  const { type, stack, ...rest } = error as Record<string, unknown>
  const isType = typeof type === 'string' && /^(?:[A-Z][A-Za-z]{0,30})?Error$/.test(type)
  return {
    ...(isType && { type }),
    ...redactObject(rest, depth + 1),
    ...(typeof stack === 'string' && { stack: placesOf(stack) }),
  }
}

/** The places of a stack that are in this program: their files exist, so that they are no text of someone. */
function placesOf(stack: string): string[] {
  const places = stack.matchAll(
    /\b((?:apps|packages|node_modules)\/(?:@[\w-]+\/)?[\w./-]+?\.[cm]?[jt]s)(:\d{1,6}:\d{1,6})/g,
  )
  const own: string[] = []
  for (const [, file = '', position = ''] of places) {
    if (!file.includes('..') && existsSync(programRoot + file)) own.push(file + position)
  }
  return own.slice(0, 20)
}

const gap = '…'

/** A text with the known words only. A name that is a word as well passes only in small letters, or where a sentence begins. */
export function redactText(text: string): string {
  let isStart = true
  let wasGap = false
  const kept: string[] = []
  for (const token of text.slice(0, 2_000).split(/\s+/)) {
    if (token === '') continue
    const [, before = '', core = '', after = ''] = /^([("'“[]*)(.*?)([)"'”\].,:;!?]*)$/s.exec(token) ?? []
    const isShown = core === '' || isKnown(core, isStart)
    if (isShown) kept.push(before + core + after)
    else if (!wasGap) kept.push(gap)
    wasGap = !isShown
    isStart = /[.:!?]$/.test(token)
  }
  return kept.join(' ')
}

function isKnown(word: string, isStart: boolean): boolean {
  if (logWords.has(word) || properWords.has(word) || errorCodes.has(word) || variables.has(word)) return true
  // A short number alone, such as an exit code.
  if (/^\d{1,3}$/.test(word) || Object.hasOwn(constants.signals, word)) return true
  return isStart && logWords.has(word[0]?.toLowerCase() + word.slice(1))
}
