import type { Schedule } from '../manual-clock.ts'
import { VirtualPrinterError } from '../virtual-printer.ts'
import type { PrinterMemory } from './printer-memory.ts'

/** The connection of one printer to who talks to it. While it is silent, what is asked gets no answer. */
export class Link {
  /** True when the printer is simulated at all. */
  isOn = false
  private readonly memory: PrinterMemory
  private readonly schedule: Schedule
  private readonly pendingWaits = new Set<() => void>()
  private connections = new AbortController()

  constructor(memory: PrinterMemory, schedule: Schedule) {
    this.memory = memory
    this.schedule = schedule
  }

  get isSilent(): boolean {
    const { offUntil, faults, faultMessage } = this.memory.state
    if (!this.isOn || offUntil !== null) return true
    return faults.includes('lost_link') || (faults.includes('silent_error') && faultMessage !== null)
  }

  /** Aborted when connections turn out to be dead: the sender of an upload learns of it by a reset. */
  get signal(): AbortSignal {
    return this.connections.signal
  }

  resetConnections(): void {
    const dead = this.connections
    this.connections = new AbortController()
    dead.abort(new VirtualPrinterError('UPLOAD_BROKEN', 'The connection was reset.'))
  }

  /** Waits in real time; rejects with the reason of the signal. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = this.schedule(() => {
        end()
        resolve()
      }, ms)
      const onAbort = () => {
        end()
        reject(signal.reason)
      }
      const end = () => {
        cancel()
        signal.removeEventListener('abort', onAbort)
        this.pendingWaits.delete(freeze)
      }
      const freeze = () => {
        end()
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      }
      this.pendingWaits.add(freeze)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }

  /** Leaves every wait without an end of its own: without power only the abort of the caller ends it. */
  freezeWaits(): void {
    for (const freeze of [...this.pendingWaits]) freeze()
  }
}
