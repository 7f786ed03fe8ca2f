import type { Context } from '../../../context/context.ts'
import type { AccountId, PrinterId } from '../../../kernel/ids.ts'
import { findOwnLive } from '../../../live/own-printer.ts'
import { entriesIn } from '../../health/health.queries.ts'
import { statusNow } from '../../printers/live-printer.ts'
import type { BrokerLink } from '../link/broker-link.ts'
import { Wake } from '../link/wake.ts'
import type { BrokerRow } from '../settings/broker.queries.ts'
import { farmStateTopic, printerStateTopic } from '../topics/topics.ts'
import { type DiscoveryMessage, describeFarm, describePrinter } from './discovery.ts'
import { countOpenTasks, listPublishedPrinters, type PublishedPrinter } from './facts.queries.ts'
import { dueAfter, type PrinterMessage, writePrinterMessage } from './printer-message.ts'

/** Time within which what comes is published together. */
const gatherMs = 500

/** Finds what no notice told, such as what another process recorded. */
const rereadMs = 60_000

/** Messages that wait for the broker's confirmation at once. */
const mostUnconfirmed = 20

/** Whatever happens to these changes what is published besides what printers report. */
const heard = ['printer.', 'job.', 'attempt.', 'worklist_task.', 'hub.']

type Sent = { message: PrinterMessage; sentAtMs: number }

/**
 * Publishes the printers of an account over one connection: retained, each as it is when it is its turn. It remembers what was published
 * last of each printer, and nothing else.
 */
export class FarmPublisher {
  readonly #context: Context
  readonly #row: BrokerRow
  readonly #link: BrokerLink
  readonly #updatePublished: (topics: readonly string[]) => Promise<void>
  readonly #wake = new Wake()
  readonly #sent = new Map<PrinterId, Sent>()
  readonly #configs = new Map<string, string>()
  readonly #dirty = new Set<PrinterId>()
  readonly #endings: (() => void)[]
  #printers = new Map<PrinterId, PublishedPrinter>()
  #openTasks = 0
  #farm = ''
  #rereadAtMs = 0
  #publishAllAtMs = Number.POSITIVE_INFINITY
  #isClosed = false

  /** @param updatePublished told, before anything is published, of all topics that are to hold retained messages */
  constructor(
    context: Context,
    row: BrokerRow,
    link: BrokerLink,
    updatePublished: (topics: readonly string[]) => Promise<void>,
  ) {
    this.#context = context
    this.#row = row
    this.#link = link
    this.#updatePublished = updatePublished
    const { printers, db, hubs } = context
    const { account_id: accountId } = row
    const ofAccount = (id: PrinterId, live: { accountId: AccountId }) => {
      if (live.accountId === accountId) this.touch(id)
    }
    this.#endings = [
      printers.onSeen((id, _, live) => ofAccount(id, live)),
      printers.onForgotten(ofAccount),
      hubs.onPresence((id) => {
        if (id === accountId) this.#reread()
      }),
      db.onChange(({ accountId: id, what }) => {
        if (id === accountId && heard.some((beginning) => what.startsWith(beginning))) this.#reread()
      }),
    ]
  }

  /** Looks at a printer again soon. */
  touch(printerId: PrinterId): void {
    this.#dirty.add(printerId)
    this.#wake.call()
  }

  /** Publishes everything once more after a random part of this time. */
  publishAllWithin(ms: number): void {
    this.#publishAllAtMs = performance.now() + Math.random() * ms
    this.#wake.call()
  }

  /** Reads and publishes everything. */
  async publishAll(): Promise<void> {
    this.#sent.clear()
    this.#configs.clear()
    this.#farm = ''
    await this.#readFarm()
    await this.#publishDirty()
  }

  /** Publishes what changes until the signal aborts. @throws BrokerProblem when the connection ends */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#isClosed) {
      const nextMs = await this.#publishDirty()
      await this.#wake.wait(Math.min(nextMs, this.#rereadAtMs, this.#publishAllAtMs), { atLeastMs: gatherMs, signal })
      if (signal.aborted || this.#isClosed) return
      if (performance.now() >= this.#publishAllAtMs) {
        this.#publishAllAtMs = Number.POSITIVE_INFINITY
        await this.publishAll()
      } else if (performance.now() >= this.#rereadAtMs) await this.#readFarm()
    }
  }

  close(): void {
    this.#isClosed = true
    for (const end of this.#endings) end()
    this.#wake.call()
  }

  #reread(): void {
    this.#rereadAtMs = 0
    this.#wake.call()
  }

  async #readFarm(): Promise<void> {
    this.#rereadAtMs = performance.now() + rereadMs
    const { sql } = this.#context.db
    const { account_id: accountId } = this.#row
    const rows = await listPublishedPrinters(sql, accountId)
    this.#openTasks = await countOpenTasks(sql, accountId)
    this.#printers = new Map(rows.map((row) => [row.id, row]))
    for (const id of this.#sent.keys()) if (!this.#printers.has(id)) this.#sent.delete(id)
    for (const { id } of rows) this.#dirty.add(id)
    await this.#publishConfigs(rows)
  }

  async #publishConfigs(rows: readonly PublishedPrinter[]): Promise<void> {
    const settings = { ...this.#row, version: this.#context.version }
    const messages = [describeFarm(settings), ...rows.map((row) => describePrinter(settings, row))]
    const topics = messages.map(({ topic }) => topic)
    await this.#updatePublished([
      ...topics,
      farmStateTopic(settings),
      ...rows.map(({ id }) => printerStateTopic(settings, id)),
    ])
    for (const topic of this.#configs.keys()) if (!topics.includes(topic)) this.#configs.delete(topic)
    const changed = messages
      .map(({ topic, config }: DiscoveryMessage) => ({ topic, text: JSON.stringify(config) }))
      .filter(({ topic, text }) => this.#configs.get(topic) !== text)
    await this.#inParts(changed, async ({ topic, text }) => {
      await this.#link.publish(topic, text, { isRetained: true })
      this.#configs.set(topic, text)
    })
  }

  /** @returns when the next message is due that had to wait */
  async #publishDirty(): Promise<number> {
    let nextMs = Number.POSITIVE_INFINITY
    const nowMs = performance.now()
    const due: { id: PrinterId; message: PrinterMessage }[] = []
    for (const id of this.#dirty) {
      const row = this.#printers.get(id)
      const message = row && this.#messageOf(row)
      const atMs = message && dueAfter(this.#sent.get(id), message)
      if (message && atMs !== undefined && atMs > nowMs) {
        nextMs = Math.min(nextMs, atMs)
        continue
      }
      this.#dirty.delete(id)
      if (message && atMs !== undefined) due.push({ id, message })
    }
    await this.#inParts(due, async ({ id, message }) => {
      await this.#link.publish(printerStateTopic(this.#row, id), JSON.stringify(message), { isRetained: true })
      this.#sent.set(id, { message, sentAtMs: performance.now() })
    })
    await this.#publishFarm()
    return nextMs
  }

  async #publishFarm(): Promise<void> {
    const sent = [...this.#sent.values()].map(({ message }) => message)
    const text = JSON.stringify({
      open_tasks: this.#openTasks,
      printing: sent.filter(({ state }) => state === 'printing').length,
      needs_person: this.#openTasks > 0 || sent.some((message) => message.needs_person),
    })
    if (text === this.#farm) return
    await this.#link.publish(farmStateTopic(this.#row), text, { isRetained: true })
    this.#farm = text
  }

  #messageOf(row: PublishedPrinter): PrinterMessage {
    const { account_id: accountId } = this.#row
    const state = findOwnLive(this.#context, accountId, row).live?.state
    return writePrinterMessage(
      { ...row, health: entriesIn(row.health) },
      statusNow(this.#context, accountId, row),
      state,
    )
  }

  async #inParts<T>(all: readonly T[], publish: (one: T) => Promise<void>): Promise<void> {
    for (let from = 0; from < all.length; from += mostUnconfirmed) {
      await Promise.all(all.slice(from, from + mostUnconfirmed).map(publish))
    }
  }
}
