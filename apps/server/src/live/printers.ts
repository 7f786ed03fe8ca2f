import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import type { AccountId, HubId, PrinterId } from '../kernel/ids.ts'
import { blocksStarts, SETTLE_MS } from './health-entries.ts'
import { fromHub, type HubMessageBody, type PrinterState } from './hub-messages.ts'
import { followTrouble, type Recovery } from './recovery.ts'

/** What is known of a printer at this moment, and since when. Kept in memory only: the database never answers for it. */
export interface LivePrinter {
  accountId: AccountId
  hubId: HubId
  state: PrinterState
  reportedAt: Date
  /** Of what kept it from taking a print, watched for as long as its hub is connected. */
  readiness: Recovery
}

type TelemetryListener = (printerId: PrinterId, before: PrinterState | undefined, live: LivePrinter) => void

/** Told when a printer's state is not known any more, with what it was. */
type ForgottenListener = (printerId: PrinterId, last: LivePrinter, at: Date) => void

/** What was known of a printer until it could not be reached any more. */
export type PastPrinter = Pick<LivePrinter, 'accountId' | 'hubId' | 'state' | 'reportedAt'>

/** More printers than a process serves; beyond it the one that is away for longest is forgotten first. */
const mostPast = 10_000

/** A hub that reports, and the printers that it may report. */
interface Reporter {
  accountId: AccountId
  hubId: HubId
  printerIds: { has(printerId: PrinterId): boolean }
}

/** What the printers of the connected hubs do now. */
export class LivePrinters {
  readonly #printers = new Map<PrinterId, LivePrinter>()
  readonly #past = new Map<PrinterId, PastPrinter>()
  readonly #idle = new Map<AccountId, Set<PrinterId>>()
  readonly #listeners = new Set<TelemetryListener>()
  readonly #forgottenListeners = new Set<ForgottenListener>()

  /** By whichever hub reported it last; `findOwnLive` asks only the hub that it belongs to. */
  find(printerId: PrinterId): LivePrinter | undefined {
    return this.#printers.get(printerId)
  }

  /** The last state of a printer that is out of reach now, with when it was reported; undefined while it is in reach. */
  findPast(printerId: PrinterId): PastPrinter | undefined {
    return this.#past.get(printerId)
  }

  /** Whether any hub of this account says now that a printer is idle: without one, nothing can be started. */
  hasIdle(accountId: AccountId): boolean {
    return this.#idle.has(accountId)
  }

  #noteIdle(printerId: PrinterId, before: LivePrinter | undefined, now: LivePrinter | undefined): void {
    if (before?.state.status === 'idle' && now?.accountId !== before.accountId)
      this.#dropIdle(before.accountId, printerId)
    if (now === undefined) return
    if (now.state.status !== 'idle') this.#dropIdle(now.accountId, printerId)
    else this.#idle.set(now.accountId, (this.#idle.get(now.accountId) ?? new Set()).add(printerId))
  }

  #dropIdle(accountId: AccountId, printerId: PrinterId): void {
    const idle = this.#idle.get(accountId)
    idle?.delete(printerId)
    if (idle?.size === 0) this.#idle.delete(accountId)
  }

  /** Takes a report, and tells the listeners of each printer in it. Printers that are not the hub's are left out. */
  apply({ accountId, hubId, printerIds }: Reporter, reports: HubMessageBody<'telemetry'>['printers'], at: Date): void {
    for (const { printer_id, full, state: change } of reports) {
      if (!printerIds.has(printer_id)) continue
      const known = this.#printers.get(printer_id)
      const before = known?.hubId === hubId ? known.state : undefined
      const state = { ...(full || !before ? fromHub(unknownPrinterState('not reported yet')) : before), ...change }
      const readiness = followTrouble(before && known?.readiness, !isReady(state), at, SETTLE_MS)
      const live = { accountId, hubId, state, reportedAt: at, readiness }
      this.#printers.set(printer_id, live)
      this.#noteIdle(printer_id, known, live)
      if (state.status !== 'offline') this.#past.delete(printer_id)
      else if (known) this.#keepPast(printer_id, known)
      for (const listener of this.#listeners) listener(printer_id, before, live)
    }
  }

  /** Of a printer that its hub runs no more, nothing is kept. */
  forget(printerId: PrinterId): void {
    this.#noteIdle(printerId, this.#printers.get(printerId), undefined)
    this.#printers.delete(printerId)
    this.#past.delete(printerId)
  }

  /** Of printers whose hub is away, the last state is kept. */
  forgetHub(hubId: HubId, at: Date): void {
    for (const [id, live] of this.#printers) {
      if (live.hubId !== hubId) continue
      this.#printers.delete(id)
      this.#noteIdle(id, live, undefined)
      this.#keepPast(id, live)
      for (const listener of this.#forgottenListeners) listener(id, live, at)
    }
  }

  #keepPast(printerId: PrinterId, { accountId, hubId, state, reportedAt }: LivePrinter): void {
    if (state.status === 'offline') return
    this.#past.delete(printerId)
    this.#past.set(printerId, { accountId, hubId, state, reportedAt })
    for (const first of this.#past.keys()) {
      if (this.#past.size <= mostPast) return
      this.#past.delete(first)
    }
  }

  /** The returned function ends it. */
  onTelemetry(listener: TelemetryListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The returned function ends it. */
  onForgotten(listener: ForgottenListener): () => void {
    this.#forgottenListeners.add(listener)
    return () => this.#forgottenListeners.delete(listener)
  }
}

const isReady = ({ status, problems = [] }: PrinterState) => status === 'idle' && !problems.some(blocksStarts)
