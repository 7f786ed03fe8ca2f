import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import type { AccountId, HubId, PrinterId } from '../kernel/ids.ts'
import { blocksStarts, SETTLE_MS } from './health-entries.ts'
import { fromHub, type HubMessageBody, type PrinterState } from './hub-messages.ts'
import { followTrouble, type Recovery } from './recovery.ts'

/** Known state of a printer at this moment, and since when. Kept in memory only: the database never answers for it. */
export interface LivePrinter {
  accountId: AccountId
  hubId: HubId
  state: PrinterState
  reportedAt: Date
  /** Trouble that kept it from taking a print, watched for as long as its hub is connected. */
  readiness: Recovery
  /** Its hub is connected to another process, which told of it. */
  isElsewhere?: true
}

type TelemetryListener = (printerId: PrinterId, before: PrinterState | undefined, live: LivePrinter) => void

/** Told when a printer's state is not known any more, with what it was. */
type ForgottenListener = (printerId: PrinterId, last: LivePrinter, at: Date) => void

/** Last known state of a printer until it could not be reached any more. */
export type PastPrinter = Pick<LivePrinter, 'accountId' | 'hubId' | 'state' | 'reportedAt'>

/** More printers than a process serves; beyond it the one that is away for longest is forgotten first. */
const mostPast = 10_000

/** A hub that reports, and the printers that it may report. */
interface Reporter {
  accountId: AccountId
  hubId: HubId
  printerIds: { has(printerId: PrinterId): boolean }
}

/** What another process knows of a printer whose hub is connected there. */
interface RemotePrinter {
  printerId: PrinterId
  state: PrinterState
  reportedAt: Date
  readiness: Recovery
}

/** What the printers of the connected hubs do now, also of hubs that are connected to other processes. */
export class LivePrinters {
  readonly #printers = new Map<PrinterId, LivePrinter>()
  readonly #past = new Map<PrinterId, PastPrinter>()
  readonly #idle = new Map<AccountId, Set<PrinterId>>()
  readonly #statusMarks = new Map<AccountId, number>()
  readonly #listeners = new Set<TelemetryListener>()
  readonly #seenListeners = new Set<TelemetryListener>()
  readonly #forgottenListeners = new Set<ForgottenListener>()
  #reportsTaken = 0

  /** By whichever hub reported it last; `findOwnLive` asks only the hub that it belongs to. */
  find(printerId: PrinterId): LivePrinter | undefined {
    return this.#printers.get(printerId)
  }

  /** Answers what the printer's hub reported to this process itself. */
  findHere(printerId: PrinterId): LivePrinter | undefined {
    const live = this.#printers.get(printerId)
    return live?.isElsewhere ? undefined : live
  }

  /** The last state of a printer that is out of reach now, with when it was reported; undefined while it is in reach. */
  findPast(printerId: PrinterId): PastPrinter | undefined {
    return this.#past.get(printerId)
  }

  /** True when any hub of this account says to this process that a printer is idle: without one, it can start nothing. */
  hasIdle(accountId: AccountId): boolean {
    return this.#idle.has(accountId)
  }

  /** Reports of printers that hubs of this process have brought so far; those that were gathered into a newer one do not count. */
  get reportsTaken(): number {
    return this.#reportsTaken
  }

  /** Is another number once what is known of the status of any printer of the account, or which of its hubs are connected, has changed. */
  statusMark(accountId: AccountId): number {
    return this.#statusMarks.get(accountId) ?? 0
  }

  /** A hub of the account came or went: what its printers said counts, or does not any more. */
  markStatuses(accountId: AccountId): void {
    this.#statusMarks.set(accountId, this.statusMark(accountId) + 1)
  }

  #markChange(before: LivePrinter | undefined, now: LivePrinter | undefined): void {
    const isSame = before?.state.status === now?.state.status && before?.hubId === now?.hubId
    if (isSame && before?.accountId === now?.accountId) return
    if (before) this.markStatuses(before.accountId)
    if (now) this.markStatuses(now.accountId)
  }

  #updateIdle(printerId: PrinterId, before: LivePrinter | undefined, now: LivePrinter | undefined): void {
    const wasIdle = before?.state.status === 'idle' && !before.isElsewhere
    if (wasIdle && now?.accountId !== before.accountId) this.#dropIdle(before.accountId, printerId)
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
      this.#reportsTaken += 1
      const known = this.#printers.get(printer_id)
      // What another process told is no report: the first one here is compared with the records like any first one.
      const before = known?.hubId === hubId && !known.isElsewhere ? known.state : undefined
      const state = { ...(full || !before ? fromHub(unknownPrinterState('not reported yet')) : before), ...change }
      const readiness = followTrouble(before && known?.readiness, !isReady(state), at, SETTLE_MS)
      const live = { accountId, hubId, state, reportedAt: at, readiness }
      this.#printers.set(printer_id, live)
      this.#markChange(known, live)
      this.#updateIdle(printer_id, known, live)
      this.#updatePast(printer_id, known, live)
      for (const listener of this.#listeners) listener(printer_id, before, live)
      for (const listener of this.#seenListeners) listener(printer_id, before, live)
    }
  }

  /** Takes what another process knows of the printers of a hub. Nothing is recorded of it here: that process does. */
  applyRemote({ accountId, hubId, printerIds }: Reporter, printers: readonly RemotePrinter[]): void {
    for (const { printerId, ...told } of printers) {
      if (!printerIds.has(printerId)) continue
      const known = this.#printers.get(printerId)
      const live: LivePrinter = { accountId, hubId, ...told, isElsewhere: true }
      this.#printers.set(printerId, live)
      this.#markChange(known, live)
      if (known) this.#updateIdle(printerId, known, undefined)
      this.#updatePast(printerId, known, live)
      const before = known?.hubId === hubId ? known.state : undefined
      for (const listener of this.#seenListeners) listener(printerId, before, live)
    }
  }

  #updatePast(printerId: PrinterId, known: LivePrinter | undefined, now: LivePrinter): void {
    if (now.state.status !== 'offline') this.#past.delete(printerId)
    else if (known) this.#recordPast(printerId, known)
  }

  /** Forgets all of a printer that its hub runs no more. */
  forget(printerId: PrinterId): void {
    const known = this.#printers.get(printerId)
    this.#updateIdle(printerId, known, undefined)
    this.#printers.delete(printerId)
    this.#markChange(known, undefined)
    this.#past.delete(printerId)
  }

  /** Keeps the last state alone of printers whose hub is away. */
  forgetHub(hubId: HubId, at: Date): void {
    this.#forgetWhere((live) => live.hubId === hubId && !live.isElsewhere, at)
  }

  /** The same for a hub that was connected to another process. */
  forgetRemoteHub(hubId: HubId, at: Date): void {
    this.#forgetWhere((live) => live.hubId === hubId && live.isElsewhere === true, at)
  }

  #forgetWhere(isOver: (live: LivePrinter) => boolean, at: Date): void {
    for (const [id, live] of this.#printers) {
      if (!isOver(live)) continue
      this.#printers.delete(id)
      this.#markChange(live, undefined)
      this.#updateIdle(id, live, undefined)
      this.#recordPast(id, live)
      for (const listener of this.#forgottenListeners) listener(id, live, at)
    }
  }

  #recordPast(printerId: PrinterId, { accountId, hubId, state, reportedAt }: LivePrinter): void {
    if (state.status === 'offline') return
    this.#past.delete(printerId)
    this.#past.set(printerId, { accountId, hubId, state, reportedAt })
    for (const first of this.#past.keys()) {
      if (this.#past.size <= mostPast) return
      this.#past.delete(first)
    }
  }

  /** Adds a listener for what hubs report to this process: it alone records it. The returned function ends it. */
  onTelemetry(listener: TelemetryListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Adds a listener for what is known of printers, whichever process their hubs report to: for what is shown and not recorded.
   * The returned function ends it.
   */
  onSeen(listener: TelemetryListener): () => void {
    this.#seenListeners.add(listener)
    return () => this.#seenListeners.delete(listener)
  }

  /** The returned function ends it. */
  onForgotten(listener: ForgottenListener): () => void {
    this.#forgottenListeners.add(listener)
    return () => this.#forgottenListeners.delete(listener)
  }
}

const isReady = ({ status, problems = [] }: PrinterState) => status === 'idle' && !problems.some(blocksStarts)
