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

/** A hub that reports, and the printers that it may report. */
interface Reporter {
  accountId: AccountId
  hubId: HubId
  printerIds: { has(printerId: PrinterId): boolean }
}

/** What the printers of the connected hubs do now. */
export class LivePrinters {
  readonly #printers = new Map<PrinterId, LivePrinter>()
  readonly #listeners = new Set<TelemetryListener>()

  /** By whichever hub reported it last; `findOwnLive` asks only the hub that it belongs to. */
  find(printerId: PrinterId): LivePrinter | undefined {
    return this.#printers.get(printerId)
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
      for (const listener of this.#listeners) listener(printer_id, before, live)
    }
  }

  forget(printerId: PrinterId): void {
    this.#printers.delete(printerId)
  }

  forgetHub(hubId: HubId): void {
    for (const [id, live] of this.#printers) if (live.hubId === hubId) this.#printers.delete(id)
  }

  /** The returned function ends it. */
  onTelemetry(listener: TelemetryListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

const isReady = ({ status, problems = [] }: PrinterState) => status === 'idle' && !problems.some(blocksStarts)
