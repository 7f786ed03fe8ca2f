import { describeError, type Log } from '../util/log.ts'

/**
 * One thing after the other for each printer, so that nothing is judged by what is about to change: a change of settings waits
 * for the changes before it, everything else also for what came before it. What fails, or never ends, holds no other printer.
 */
export class PrinterTurns {
  readonly #log: Log
  readonly #changes = new Map<string, Promise<void>>()
  readonly #works = new Map<string, Promise<void>>()
  #isStopped = false

  constructor(log: Log) {
    this.#log = log
  }

  /** Printers of which there was a change, removed ones included. */
  get printerIds(): readonly string[] {
    return [...this.#changes.keys()]
  }

  /** Resolves when the changes so far are over. */
  async afterChanges(printerId: string): Promise<void> {
    await this.#changes.get(printerId)
  }

  change(printerId: string, apply: () => Promise<void> | undefined): Promise<void> {
    const fields = { printer_id: printerId }
    const turn = this.#take([this.#changes.get(printerId)], apply, 'a printer was not configured', fields)
    this.#changes.set(printerId, turn)
    return turn
  }

  /** `failure` and `fields` are logged when the work rejects. */
  work(
    printerId: string,
    carryOut: () => Promise<void> | undefined,
    failure: string,
    fields: Record<string, unknown>,
  ): Promise<void> {
    const before = [this.#changes.get(printerId), this.#works.get(printerId)]
    const turn = this.#take(before, carryOut, failure, fields)
    this.#works.set(printerId, turn)
    return turn
  }

  /** What has not started never does; resolves when the rest is over. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#changes.values())
    await Promise.all(this.#works.values())
  }

  async #take(
    before: (Promise<void> | undefined)[],
    act: () => Promise<void> | undefined,
    failure: string,
    fields: Record<string, unknown>,
  ): Promise<void> {
    await Promise.all(before)
    if (this.#isStopped) return
    try {
      await act()
    } catch (error) {
      this.#log.error(failure, { ...fields, problem: describeError(error) })
    }
  }
}
