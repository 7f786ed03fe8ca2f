import type { AttemptReport } from '@printyard/protocol/attempt'
import type { CommandKind } from '@printyard/protocol/command-kinds'
import type { HubMessageBody } from '@printyard/protocol/messages'
import type { RunWatch } from '../fleet/run-mark.ts'

export type CommandResult = HubMessageBody<'result'>

/** A message that is kept until the service acknowledges it. */
export type OutboxMessage =
  | { id: string; ts: string; type: 'attempt'; report: AttemptReport }
  | ({ id: string; ts: string; type: 'result' } & CommandResult)

interface JournalledCommand {
  command_id: string
  printer_id: string
  fence: number
  kind: CommandKind
  attempt_id: string | null
}

/** Names that the printer has for the run of an attempt: what its reports are compared with. */
export interface AttemptIdentity {
  /**
   * The name that the file has at the printer; unique to the attempt, so that it identifies even without a run id. Empty for an
   * attempt that the service asks about and that this journal does not hold.
   */
  file_name: string
  /** The printer's own identity of the run; null until it is known, and where its protocol has none. */
  run_id: string | null
  /** The run that the printer showed as its last one before our start; null when it showed none. */
  run_before: string | null
  /** Time when the start was about to be sent, in milliseconds since 1970 by the hub's clock. */
  start_sent_at?: number
  /** What else was found out about it; see `Sighting`. */
  sighting?: Sighting
}

/** What was seen of an attempt whose start was sent. It is journalled lazily: to lose some of it costs time, not safety. */
export interface Sighting {
  /** The printer, or its driver, said no to the start. */
  refused?: { reason_code: string; detail: string; at: number }
  /** The last picture that showed the run, with the progress that it had then. */
  last_seen?: { progress: number | null; at: number }
  /** Time that the printer has been seen idle with its old last run, over restarts of the hub. */
  idle_ms?: number
}

/** The last moment at which the hub is known to have watched its printers. */
interface AliveAt {
  /** By the wall clock, ms since 1970. */
  at_ms: number
  /** Time that the machine had been running, in seconds. */
  up_seconds: number
}

/** What happened, one JSON line each. */
export type JournalRecord =
  | ({ t: 'command' } & JournalledCommand)
  | { t: 'result'; message_id: string; ts: string; result: CommandResult }
  | { t: 'attempt'; message_id: string; ts: string; report: AttemptReport; identity: AttemptIdentity }
  /** The printer answered a start with its own identity of the run. */
  | { t: 'run'; attempt_id: string; run_id: string }
  | { t: 'sighting'; attempt_id: string; sighting: Sighting }
  | { t: 'ack'; ids: string[] }
  /** What the watch over a printer has come to, written when it changes. */
  | { t: 'watch'; printer_id: string; watch: RunWatch }
  /** The hub watches its printers. */
  | ({ t: 'alive' } & AliveAt)
  /** The first one of a journal: which journal it is. */
  | { t: 'identity'; journal_id: string }
  | { t: 'snapshot'; state: StoredState }

export interface KnownCommand extends JournalledCommand {
  /** What was answered; null while it is being carried out, or when the hub was killed before it knew. */
  result: { message_id: string; ts: string; body: CommandResult } | null
}

export interface KnownAttempt {
  report: AttemptReport
  identity: AttemptIdentity
}

/** All that the journal's records add up to. */
export interface JournalState {
  /** Made with the journal; null only before its first record. */
  journalId: string | null
  /**
   * Number of records ever written, without sightings and those of the watch over printers, which a power cut may take;
   * compaction does not lower it.
   */
  position: number
  commands: Map<string, KnownCommand>
  /** The highest fence seen, per printer. */
  fences: Map<string, number>
  attempts: Map<string, KnownAttempt>
  /** What the service has not acknowledged, oldest first. */
  outbox: Map<string, OutboxMessage>
  /** The IDs of the last reports of attempts that the service acknowledged, oldest first. */
  acknowledged: string[]
  /** The watch over each printer. */
  watches: Map<string, RunWatch>
  /** Null in journals of older versions. */
  alive: AliveAt | null
}

interface StoredState {
  journal_id?: string | null
  position: number
  commands: KnownCommand[]
  fences: [string, number][]
  attempts: KnownAttempt[]
  outbox: OutboxMessage[]
  /** Missing from journals of older versions. */
  acknowledged?: string[]
  watches?: [string, RunWatch][]
  alive?: AliveAt | null
}

export function emptyJournalState(): JournalState {
  return {
    journalId: null,
    position: 0,
    commands: new Map(),
    fences: new Map(),
    attempts: new Map(),
    outbox: new Map(),
    acknowledged: [],
    watches: new Map(),
    alive: null,
  }
}

/**
 * An attempt that may still change: its end is not known. One with the outcome `unknown` is watched on in the phase
 * `starting`; once finished as `unknown` its traces at the printer are gone.
 */
export function isOpen(report: AttemptReport): boolean {
  return report.phase !== 'finished'
}

/** The reason of an attempt that ended because it was over for the service. */
export const RELEASED = 'RELEASED'

/**
 * An attempt of which it was said, by this hub or by a person, that its run never began. A refusal is no proof, and people
 * look at the wrong printer: when its run is seen anyway, it goes on.
 */
export function canComeBack({ report, identity }: KnownAttempt): boolean {
  if (report.phase !== 'finished') return false
  if (report.outcome === 'not_started') return true
  return report.reason_code === RELEASED && identity.sighting?.last_seen === undefined
}

/** Adds one record to the state. */
export function applyRecord(state: JournalState, record: JournalRecord): void {
  if (record.t === 'snapshot') {
    restore(state, record.state)
    return
  }
  // Not counted: it does not wait for the disk, and what a power cut takes of it must not look like a lost journal.
  if (record.t === 'sighting') {
    const attempt = state.attempts.get(record.attempt_id)
    if (attempt) attempt.identity = { ...attempt.identity, sighting: record.sighting }
    return
  }
  if (record.t === 'watch') {
    state.watches.set(record.printer_id, record.watch)
    return
  }
  if (record.t === 'alive') {
    state.alive = { at_ms: record.at_ms, up_seconds: record.up_seconds }
    return
  }
  state.position += 1
  switch (record.t) {
    case 'command': {
      const { t: _, ...command } = record
      state.commands.set(command.command_id, { ...command, result: null })
      state.fences.set(command.printer_id, Math.max(command.fence, state.fences.get(command.printer_id) ?? 0))
      return
    }
    case 'result': {
      const { message_id: id, ts, result } = record
      const command = state.commands.get(result.command_id)
      if (command) command.result = { message_id: id, ts, body: result }
      state.outbox.set(id, { id, ts, type: 'result', ...result })
      return
    }
    case 'attempt': {
      const { message_id: id, ts, report, identity } = record
      const known = state.attempts.get(report.attempt_id)
      state.attempts.set(report.attempt_id, known ? furtherOf(known, { report, identity }) : { report, identity })
      state.outbox.set(id, { id, ts, type: 'attempt', report })
      return
    }
    case 'run': {
      const attempt = state.attempts.get(record.attempt_id)
      if (attempt) attempt.identity = { ...attempt.identity, run_id: record.run_id }
      return
    }
    case 'identity': {
      state.journalId = record.journal_id
      return
    }
    case 'ack': {
      acknowledge(state, record.ids)
      return
    }
  }
}

/** Number of acknowledged reports that are remembered; more than the service may have stored without our having heard of it. */
const REMEMBERED_ACKNOWLEDGEMENTS = 50

/** Takes what the service has stored off the outbox. What is not owed changes nothing. */
export function acknowledge(state: JournalState, ids: readonly string[]): void {
  for (const id of ids) {
    if (state.outbox.get(id)?.type === 'attempt') state.acknowledged.push(id)
    state.outbox.delete(id)
  }
  state.acknowledged.splice(0, state.acknowledged.length - REMEMBERED_ACKNOWLEDGEMENTS)
}

const rank = { reserved: 0, transferring: 1, starting: 2, confirmed: 3, finished: 4 } as const

/**
 * Chooses the further of two: what is told again may be older than what was written meanwhile: an attempt never goes back, lest a start that was sent
 * be taken for one that never was. Only a sight of its run takes back that it never began, and nothing takes back the sight.
 */
function furtherOf(known: KnownAttempt, told: KnownAttempt): KnownAttempt {
  const isTakenBack = told.report.phase === 'confirmed' && canComeBack(known)
  const isDenied = known.report.phase === 'confirmed' && told.report.outcome === 'not_started'
  if (!isTakenBack && (isDenied || rank[told.report.phase] < rank[known.report.phase])) return known
  return { ...told, identity: { ...told.identity, run_id: told.identity.run_id ?? known.identity.run_id } }
}

function restore(state: JournalState, stored: StoredState): void {
  state.journalId = stored.journal_id ?? null
  state.position = stored.position
  state.commands = new Map(stored.commands.map((command) => [command.command_id, command]))
  state.fences = new Map(stored.fences)
  state.attempts = new Map(stored.attempts.map((attempt) => [attempt.report.attempt_id, attempt]))
  state.outbox = new Map(stored.outbox.map((message) => [message.id, message]))
  state.acknowledged = stored.acknowledged ?? []
  state.watches = new Map(stored.watches)
  state.alive = stored.alive ?? null
}

/** Number of finished commands and attempts that are remembered; older ones are refused by their fence. */
const REMEMBERED = { commands: 2000, attempts: 1000 }

/** Forgets the oldest of what is over and acknowledged, so that neither memory nor the file grows without bound. */
export function forgetOldest(state: JournalState, keep = REMEMBERED): void {
  if (state.commands.size <= keep.commands && state.attempts.size <= keep.attempts) return
  const owed = new Set<string>()
  for (const message of state.outbox.values()) {
    owed.add(message.type === 'result' ? message.command_id : message.report.attempt_id)
  }
  for (const [id, command] of state.commands) {
    if (state.commands.size <= keep.commands) break
    if (command.result && !owed.has(id)) state.commands.delete(id)
  }
  for (const [id, { report }] of state.attempts) {
    if (state.attempts.size <= keep.attempts) break
    if (!isOpen(report) && !owed.has(id)) state.attempts.delete(id)
  }
}

export function storeState(state: JournalState): StoredState {
  return {
    journal_id: state.journalId,
    position: state.position,
    commands: [...state.commands.values()],
    fences: [...state.fences],
    attempts: [...state.attempts.values()],
    outbox: [...state.outbox.values()],
    acknowledged: state.acknowledged,
    watches: [...state.watches],
    alive: state.alive,
  }
}
