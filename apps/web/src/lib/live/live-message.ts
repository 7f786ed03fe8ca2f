import type { Frame } from '@printyard/sdk/event-stream'

/** Something that happened in the account and is kept: the same rows as `GET /events`. */
export interface FarmEvent {
  id: string
  type: string
  subject_id: string | null
  data: Record<string, unknown>
  created_at: string
}

/** What a printer says at this moment, as far as it changed: fields of its live status. */
export type LiveFields = { printer_id: string } & Record<string, unknown>

/** What came of looking at an address: how many printers answered, or why no one could look. */
export interface LookOutcome {
  address: string
  found: number
  problem: string | null
}

export type LiveMessage =
  | { kind: 'change'; event: FarmEvent }
  | { kind: 'live'; fields: LiveFields }
  | { kind: 'hub'; hub_id: string; is_online: boolean }
  /** A hub has said again what it found; `looked` when it has just looked at an address. */
  | { kind: 'candidates'; hub_id: string; looked: LookOutcome | null }
  /** What was missed is not known: everything shown must be read again. */
  | { kind: 'reset' }

/** Undefined for kinds a later service may send, and for what cannot be read. */
export function readLiveMessage({ event, data }: Frame & { data: string }): LiveMessage | undefined {
  if (event === 'reset') return { kind: 'reset' }
  const value = parseObject(data)
  if (!value) return undefined
  if (event === 'change' && typeof value.type === 'string') {
    return {
      kind: 'change',
      event: {
        id: String(value.id),
        type: value.type,
        subject_id: typeof value.subject_id === 'string' ? value.subject_id : null,
        data: isObject(value.data) ? value.data : {},
        created_at: String(value.created_at),
      },
    }
  }
  if (event === 'live' && typeof value.printer_id === 'string') {
    return { kind: 'live', fields: { ...value, printer_id: value.printer_id } }
  }
  if (event === 'hub' && typeof value.hub_id === 'string' && typeof value.is_online === 'boolean') {
    return { kind: 'hub', hub_id: value.hub_id, is_online: value.is_online }
  }
  if (event === 'candidates' && typeof value.hub_id === 'string') {
    return { kind: 'candidates', hub_id: value.hub_id, looked: readLook(value.looked) }
  }
  return undefined
}

function readLook(value: unknown): LookOutcome | null {
  if (!isObject(value) || typeof value.address !== 'string') return null
  const { address, found, problem } = value
  return { address, found: Number(found), problem: typeof problem === 'string' ? problem : null }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
