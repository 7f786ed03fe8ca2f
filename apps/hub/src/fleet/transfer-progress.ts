import type { FileTransfer } from '@printyard/protocol/printer-state'

const INTERVAL_MS = 250

/** Progress of a file on its way to the printer; the bytes run fast, and nothing but eyes follows them. */
export class TransferProgress {
  #present: FileTransfer | null = null
  #shownAtMs = Number.NEGATIVE_INFINITY

  get present(): FileTransfer | null {
    return this.#present
  }

  /** True when it is time to show it. */
  update(next: FileTransfer | null): boolean {
    const isTurn = next === null || this.#present === null
    this.#present = next
    const nowMs = performance.now()
    if (!isTurn && nowMs < this.#shownAtMs + INTERVAL_MS) return false
    this.#shownAtMs = nowMs
    return true
  }
}
