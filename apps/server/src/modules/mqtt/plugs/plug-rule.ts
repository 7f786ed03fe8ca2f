import type { PrinterState } from '@printyard/protocol/printer-state'

/** Hotter than this a printer cools by its own fans, which need power. In °C. */
const coolC = 50

/** What the printer shows, as far as it matters for its power. */
export type SeenPrinter = Pick<
  PrinterState,
  'status' | 'run' | 'nozzle_temp' | 'bed_temp' | 'chamber_temp' | 'target_nozzle_temp' | 'target_bed_temp' | 'transfer'
>

/**
 * Answers why the power of a printer must stay on; undefined when it may be switched off. What is not known counts against it: a printer that is
 * not seen may be printing, and one that tells no temperature may be hot. Whether a job is starting there, only the database knows.
 */
export function keepsPower(seen: SeenPrinter | undefined): string | undefined {
  if (!seen || seen.status === 'offline') return 'What the printer does cannot be seen.'
  if (seen.status !== 'idle') return `The printer is not idle: ${seen.status}.`
  if (seen.run !== null) return 'The printer says that a print runs.'
  if (seen.transfer) return 'A file is on its way to the printer.'
  if (isSet(seen.target_nozzle_temp) || isSet(seen.target_bed_temp)) return 'The printer is heating.'
  if (seen.nozzle_temp === null || seen.bed_temp === null) return 'The printer does not say how hot it is.'
  const hottest = Math.max(seen.nozzle_temp, seen.bed_temp, seen.chamber_temp ?? 0)
  return hottest > coolC ? `The printer is hot: ${Math.round(hottest)} °C, more than ${coolC} °C.` : undefined
}

const isSet = (target: number | null) => target !== null && target > 0

/** True when the power of an idle printer is to go off now. */
export function isDueOff(
  { off_after_minutes: minutes, state }: { off_after_minutes: number | null; state: 'on' | 'off' | null },
  idleSinceMs: number | undefined,
  nowMs: number,
): boolean {
  // A plug that does not say what it is may be off already: it is left alone.
  return minutes !== null && state === 'on' && idleSinceMs !== undefined && nowMs - idleSinceMs >= minutes * 60_000
}

/** The state in a message of a plug: a text such as `ON`, or JSON with `state`, `POWER` or `output`. Undefined: it says nothing. */
export function readPlugState(
  payload: Buffer,
  { payload_on: on, payload_off: off }: { payload_on: string; payload_off: string },
): 'on' | 'off' | undefined {
  if (payload.length > 4_096) return undefined
  const text = payload.toString('utf8').trim()
  const word = (wordIn(text) ?? text).toLowerCase()
  if (word === on.toLowerCase() || ['on', 'true', '1'].includes(word)) return 'on'
  if (word === off.toLowerCase() || ['off', 'false', '0'].includes(word)) return 'off'
  return undefined
}

function wordIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    const fields = value as Record<string, unknown>
    const found = fields.state ?? fields.POWER ?? fields.output ?? fields.ison
    return typeof found === 'string' || typeof found === 'boolean' || typeof found === 'number'
      ? String(found)
      : undefined
  } catch {
    return undefined
  }
}
