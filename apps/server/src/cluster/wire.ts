import { Candidate } from '@printyard/protocol/messages'
import { PrinterState } from '@printyard/protocol/printer-state'
import { ReportedProblem } from '@printyard/protocol/reported-problem'
import { Ajv } from 'ajv'
import Type, { type Static, type TSchema } from 'typebox'

/** Longer messages are not read: one who can write to Redis must not make a process parse without end. */
const longestMessage = 8 * 1024 * 1024

/** Entries of one message; what is more goes into the next. */
export const mostHubs = 10
export const mostPrinters = 200

const Id = Type.String({ minLength: 1, maxLength: 64 })
const Moment = Type.String({ minLength: 20, maxLength: 30, pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' })
const MomentOrNone = Type.Union([Moment, Type.Null()])
const Epoch = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Trouble = Type.Object({ troubledSince: MomentOrNone, recoveredAt: MomentOrNone })

export const SharedHub = Type.Object({
  id: Id,
  /** Its place among all connections of the hub, by the database. */
  epoch: Epoch,
  connected_at: Moment,
  last_heartbeat_at: Moment,
  ahead_ms: Type.Optional(Type.Number()),
  candidates: Type.Array(Candidate, { maxItems: 500 }),
  has_lost_journal: Type.Boolean(),
  storage: Type.Optional(Trouble),
  journal_id: Type.Optional(Type.String({ maxLength: 128 })),
  took_over_at: Type.Optional(Moment),
  problems: Type.Optional(Type.Array(ReportedProblem, { maxItems: 100 })),
  capabilities: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 100 }),
  printer_ids: Type.Array(Id, { maxItems: 5_000 }),
})
export type SharedHub = Static<typeof SharedHub>

export const SharedPrinter = Type.Object({
  id: Id,
  hub_id: Id,
  epoch: Epoch,
  state: PrinterState,
  reported_at: Moment,
  readiness: Trouble,
})
export type SharedPrinter = Static<typeof SharedPrinter>

/** Change of the hubs of one account that are connected to one process. */
export const LiveBatch = Type.Object({
  process: Id,
  hubs: Type.Array(SharedHub, { maxItems: mostHubs }),
  printers: Type.Array(SharedPrinter, { maxItems: mostPrinters }),
  /** Hubs that have left. */
  gone: Type.Array(Type.Object({ id: Id, epoch: Epoch }), { maxItems: 10_000 }),
})
export type LiveBatch = Static<typeof LiveBatch>

/** Kinds of changes that one message names; sweeps find what is left out. */
export const mostKinds = 200

/** Notice that something of an account has changed, as types of events. */
export const Changes = Type.Object({
  process: Id,
  kinds: Type.Array(Type.String({ maxLength: 100 }), { maxItems: mostKinds }),
})

/** What processes tell one another of themselves. */
export const ProcessNote = Type.Object({
  process: Id,
  /**
   * `beat`: it is there. `hello`: it hears from now on, and asks what the others know. `told`: all that was told which the hello
   * of `to` asked for. `bye`: it stops.
   */
  kind: Type.Enum(['beat', 'hello', 'told', 'bye']),
  to: Type.Optional(Id),
})
export type ProcessNote = Static<typeof ProcessNote>

/** A question to a process, that it has it, or its answer; `sealed` opens by the secret key of the installation alone. */
export const QuestionMessage = Type.Object({
  kind: Type.Enum(['question', 'taken', 'answer']),
  id: Id,
  from: Id,
  sealed: Type.String({ maxLength: longestMessage, pattern: '^[A-Za-z0-9+/]*={0,2}$' }),
})
export type QuestionMessage = Static<typeof QuestionMessage>

/** Makes a reader of messages of this form; it answers undefined for whatever is none. Compiled when the first one comes. */
export function makeReader<S extends TSchema>(schema: S): (text: string) => Static<S> | undefined {
  let validate: ((value: unknown) => boolean) | undefined
  return (text) => {
    if (text.length > longestMessage) return undefined
    const value = parse(text)
    validate ??= new Ajv().compile(schema)
    return value !== undefined && validate(value) ? (value as Static<S>) : undefined
  }
}

/** Anybody who can write to Redis may have written it. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
