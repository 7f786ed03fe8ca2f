import Type, { type Static } from 'typebox'
import { AttemptReport } from './attempt.ts'
import { commandKinds } from './command-kinds.ts'
import { CommandErrorCode } from './commands.ts'
import { MOST_PROBLEMS } from './connection-problems.ts'
import { count, serialNumber } from './number-bounds.ts'
import { PrinterState, PrinterStateChange } from './printer-state.ts'
import { ReportedProblem } from './reported-problem.ts'
import { Nullable, oneOf } from './schema-tools.ts'
import { stillErrorCodes } from './still.ts'

const Id = Type.String({ minLength: 1, maxLength: 64 })
const Timestamp = Type.String({ maxLength: 40 })
const Text = (maxLength: number) => Type.String({ maxLength })

/** How a hub reaches one printer, and the bounds within which it may heat it. Sent only to the printer's own hub. */
export const PrinterSettings = Type.Object({
  printer_id: Id,
  name: Text(120),
  model: Text(120),
  connection_type: oneOf('virtual', 'octoprint', 'moonraker', 'prusalink', 'bambu', 'elegoo', 'creality'),
  /** Address, credentials and whatever else the driver of this type reads; secret, never logged. */
  connection: Type.Record(Type.String(), Type.Unknown()),
  /**
   * The same, sealed for the key that the hub told, bound to the ID of the printer; `connection` is empty then but for what is no
   * secret. Left out for hubs that have told no key.
   */
  sealed_connection: Type.Optional(Text(64_000)),
  nozzle_size: Nullable(Type.Number()),
  limits: Type.Object({ nozzle: Type.Number(), bed: Type.Number(), chamber: Type.Number() }),
  filament_type: Nullable(Text(50)),
  filament_color_hex: Nullable(Text(7)),
})
export type PrinterSettings = Static<typeof PrinterSettings>

/** A printer found on the network, not yet adopted by a person. */
export const Candidate = Type.Object({
  connection_type: PrinterSettings.properties.connection_type,
  name: Text(120),
  model: Nullable(Text(120)),
  address: Nullable(Text(255)),
  serial: Nullable(Text(128)),
  /** How it was found, in one sentence. */
  evidence: Text(200),
  /** All that speaks for it, one sentence each, the newest last; `evidence` is the first of them. */
  all_evidence: Type.Optional(Type.Array(Text(200), { maxItems: 10 })),
  /** Port at which its driver would connect, when that is not the port which its family has by itself. */
  port: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 65_535 }))),
  first_seen_at: Type.Optional(Timestamp),
  last_seen_at: Type.Optional(Timestamp),
})
export type Candidate = Static<typeof Candidate>

/** Outcome of looking at an address that a person typed. */
export const LookOutcome = Type.Object({
  /** As it was typed. */
  address: Text(255),
  /** The printers that answered there at once; one that is slower becomes a candidate anyway. */
  found: Type.Integer(count),
  /** For people: why it could not be looked at; null when it was. */
  problem: Nullable(Text(1000)),
})
export type LookOutcome = Static<typeof LookOutcome>

/** What a connection to a printer showed of it; null where it says nothing. */
export const ProbedPrinter = Type.Object({
  model: Nullable(Text(120)),
  serial: Nullable(Text(128)),
  firmware_version: Nullable(Text(100)),
  /** SHA-256 of its certificate, 64 hexadecimal digits in upper case; null where there is no certificate. */
  certificate_fingerprint: Nullable(Type.String({ pattern: '^[0-9A-F]{64}$' })),
  /** True when an authority that the hub knows vouches for the certificate: then it need not be pinned. */
  is_certificate_vouched: Nullable(Type.Boolean()),
})
export type ProbedPrinter = Static<typeof ProbedPrinter>

/** Hub → service: message name → body. */
export const hubMessages = {
  hello: Type.Object({
    protocol_version: Type.Integer(serialNumber),
    agent_version: Text(64),
    hardware_version: Text(64),
    /** Number of records in the hub's journal; grows only. */
    journal_position: Type.Integer(count),
    /** Made with the journal. Another one than before means another journal, however long it is. */
    journal_id: Type.Optional(Id),
    /**
     * The public key for which the service seals credentials of printers: X25519, base64url. Another one than before is refused while
     * the hub has printers with credentials, until a machine joins with a new code.
     */
    public_key: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })),
    /** What this hub can do beyond its version, such as `ejection`. Names that are not known are ignored. */
    capabilities: Type.Optional(Type.Array(Id, { maxItems: 64 })),
    /** What the hub already knows of its printers; empty after a fresh start. */
    printers: Type.Array(Type.Object({ printer_id: Id, state: PrinterState }), { maxItems: 500 }),
    /** Every attempt that the journal holds open. */
    open_attempts: Type.Array(AttemptReport, { maxItems: 500 }),
    /** The highest fence that the journal holds of each printer: a service that is behind it was restored from a backup. */
    fences: Type.Optional(
      Type.Array(Type.Object({ printer_id: Id, fence: Type.Integer(serialNumber) }), { maxItems: 500 }),
    ),
    /** What ended last, the newest at the end, so that a service that was restored learns what ran since its backup. */
    ended_attempts: Type.Optional(Type.Array(AttemptReport, { maxItems: 100 })),
    /**
     * The IDs of `attempt` messages that the journal knows: the last 50 that were acknowledged, then all that are still owed,
     * the oldest first. When the newest that the service has stored is not among them, the journal was rolled back.
     */
    known_reports: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
  }),
  heartbeat: Type.Object({
    uptime_seconds: Type.Number(count),
    printer_count: Type.Integer(count),
    /** Problems of the hub itself, such as a full disk; absent from hubs of older versions. */
    problems: Type.Optional(Type.Array(ReportedProblem, { maxItems: MOST_PROBLEMS })),
  }),
  /** Changed fields since the last report; `full` replaces the picture. */
  telemetry: Type.Object({
    printers: Type.Array(Type.Object({ printer_id: Id, full: Type.Boolean(), state: PrinterStateChange }), {
      maxItems: 500,
    }),
  }),
  /** Repeated after each reconnect until acknowledged by id. */
  attempt: Type.Object({ report: AttemptReport }),
  /** Repeated after each reconnect until acknowledged by id. */
  result: Type.Object({
    command_id: Id,
    printer_id: Id,
    ok: Type.Boolean(),
    code: Nullable(CommandErrorCode),
    message: Nullable(Text(500)),
    /**
     * With `ok`: the printer has taken the command and carries it out later; `message` says when: `will pause once heated`. What
     * becomes of it shows in telemetry, and in the report of the attempt. Left out by hubs of older versions.
     */
    pending: Type.Optional(Type.Boolean()),
  }),
  /** A part of the picture that a `snapshot` asked for. The parts of one request come in order; the last one says so. */
  still: Type.Object({
    request_id: Id,
    printer_id: Id,
    /** Base64. */
    data: Type.String({ maxLength: 192 * 1024, pattern: '^[A-Za-z0-9+/]*={0,2}$' }),
    is_last: Type.Boolean(),
  }),
  /** Reason why a `snapshot` brings no picture. */
  no_still: Type.Object({ request_id: Id, printer_id: Id, code: oneOf(...stillErrorCodes), message: Text(500) }),
  discovered: Type.Object({
    candidates: Type.Array(Candidate, { maxItems: 500 }),
    /** The look that has just ended, whether or not it changed the candidates. */
    looked: Type.Optional(LookOutcome),
  }),
  /** The answer to `test_connection`. */
  connection_tested: Type.Object({
    test_id: Id,
    printer: ProbedPrinter,
    /** Null when the connection works. The reason is one of `connection-problems.ts`, or one of a newer version. */
    problem: Nullable(Type.Object({ reason: Text(64), message: Text(500), remedy: Text(500) })),
  }),
  /**
   * A printer of this hub does not answer at its address, and was met at another one: by the same serial number, with its
   * credentials and its certificate. Said again each time that it is seen there, until the settings name that address.
   */
  printer_moved: Type.Object({
    printer_id: Id,
    serial: Text(128),
    old_address: Text(255),
    address: Text(255),
    evidence: Text(200),
  }),
  /**
   * The token of a `renew_token` is on the disk of the hub, and the former one beside it. From here on the former is void for the
   * service. Said again by connecting with the new token.
   */
  token_kept: Type.Object({
    /** SHA-256 of the new token, 64 hexadecimal digits: only who opened it knows it. */
    token_hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  }),
  log: Type.Object({
    level: oneOf('info', 'warn', 'error'),
    printer_id: Nullable(Id),
    message: Text(1000),
  }),
} as const

/** Service → hub: message name → body. */
export const serviceMessages = {
  welcome: Type.Object({
    hub_id: Id,
    hub_name: Text(120),
    server_time: Timestamp,
    printers: Type.Array(PrinterSettings, { maxItems: 500 }),
    /** Attempts whose fate the service does not know; the hub answers each with an `attempt` report. */
    settle: Type.Array(
      Type.Object({
        attempt_id: Id,
        printer_id: Id,
        fence: Type.Integer(serialNumber),
        /** The printer's own identity of the run, as a report told it before; left out by services of older versions. */
        run_id: Type.Optional(Nullable(Text(128))),
      }),
      { maxItems: 500 },
    ),
  }),
  configure: Type.Object({ printers: Type.Array(PrinterSettings, { maxItems: 500 }) }),
  command: Type.Object({
    command_id: Id,
    printer_id: Id,
    /** Grows with every command to this printer that moves something; a lower one than already seen is refused. */
    fence: Type.Integer(serialNumber),
    /** After this moment the hub must not begin to carry it out. */
    deadline: Timestamp,
    kind: oneOf(...commandKinds),
    args: Type.Record(Type.String(), Type.Unknown()),
  }),
  /** Acknowledges `attempt` and `result` messages: the service has stored them. */
  ack: Type.Object({ ids: Type.Array(Id, { maxItems: 500 }) }),
  /**
   * Attempts that are over for the service although the hub holds them open, such as one that a person looked at. The hub
   * journals their end and lets go of the printer; what it still sees of their runs it reports as telemetry.
   */
  release: Type.Object({
    attempts: Type.Array(Type.Object({ attempt_id: Id, printer_id: Id }), { maxItems: 500 }),
  }),
  /** With an address the hub also looks there, whether something announces itself or not. */
  discover: Type.Object({ address: Type.Optional(Text(255)) }),
  /** Only to a hub whose `hello` names the capability `connection-test`; answered by `connection_tested`. */
  test_connection: Type.Object({
    test_id: Id,
    connection_type: PrinterSettings.properties.connection_type,
    /** As in the settings of a printer; secret, never logged. */
    connection: PrinterSettings.properties.connection,
    /** As in the settings of a printer, bound to the ID of the test. */
    sealed_connection: PrinterSettings.properties.sealed_connection,
  }),
  /** Asks for a picture of the printer's camera; only of a hub whose `hello` names the capability `snapshot`. */
  snapshot: Type.Object({ request_id: Id, printer_id: Id }),
  /**
   * A new token for the hub, only to one whose `hello` names the capability `token-renewal` and a key. Both tokens count until
   * `token_kept`, or until the hub connects with the new one.
   */
  renew_token: Type.Object({
    /** Sealed for the key that the hub told, bound to the ID of the hub; a text. */
    sealed_token: Text(1000),
  }),
  close: Type.Object({
    reason: oneOf('service_restart', 'replaced', 'revoked', 'bad_message', 'version_not_supported', 'stale'),
    message: Text(500),
    retry_after_ms: Type.Integer(count),
  }),
} as const

export type HubMessageName = keyof typeof hubMessages
export type ServiceMessageName = keyof typeof serviceMessages
export type HubMessageBody<N extends HubMessageName> = Static<(typeof hubMessages)[N]>
export type ServiceMessageBody<N extends ServiceMessageName> = Static<(typeof serviceMessages)[N]>

/** What every frame has beside its type and body. */
export const messageHeader = {
  /** Unique per sender; what an `ack` names. */
  id: Id,
  /** The sender's clock, ISO 8601. */
  ts: Timestamp,
} as const
type Header = { [K in keyof typeof messageHeader]: Static<(typeof messageHeader)[K]> }

/** A frame from a hub, typed by its name. */
export type HubMessage = { [N in HubMessageName]: Header & { type: N } & HubMessageBody<N> }[HubMessageName]

/** A frame from the service, typed by its name. */
export type ServiceMessage = {
  [N in ServiceMessageName]: Header & { type: N } & ServiceMessageBody<N>
}[ServiceMessageName]
