import type { Context } from '../../../context/context.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { AccountId, PrinterId, SmartPlugId } from '../../../kernel/ids.ts'
import { findOwnLive } from '../../../live/own-printer.ts'
import { listWantedPrinters } from '../../scheduler/wanted-printers.ts'
import type { BrokerLink } from '../link/broker-link.ts'
import { Wake } from '../link/wake.ts'
import { isDueOff, readPlugState } from './plug-rule.ts'
import { listPlugs, type PlugRow, writePlugState } from './plugs.queries.ts'
import { switchOff, switchOn } from './switch-plug.ts'

const lookMs = 10_000
const gatherMs = 500

/** A plug that was told something and does not show it is told again after this time. */
const repeatMs = 60_000

/** Whatever happens to these can make a printer wanted, or change a plug. */
const heard = ['job.', 'printer.', 'smart_plug.', 'scheduler.', 'filament.']

/** Switches the power of printers over one connection, as their plugs are set up to. */
export class PlugKeeper {
  readonly #context: Context
  readonly #accountId: AccountId
  readonly #wake = new Wake()
  readonly #idleSinceMs = new Map<PrinterId, number>()
  readonly #switchedAtMs = new Map<SmartPlugId, number>()
  readonly #subscribed = new Set<string>()
  readonly #states = new Map<string, Buffer>()
  readonly #endings: (() => void)[]
  #plugs: PlugRow[] = []

  constructor(context: Context, accountId: AccountId) {
    this.#context = context
    this.#accountId = accountId
    this.#endings = [
      context.db.onChange(({ accountId: id, what }) => {
        if (id === accountId && heard.some((beginning) => what.startsWith(beginning))) this.#wake.call()
      }),
      context.printers.onSeen((id, before, live) => {
        if (live.accountId !== accountId || before?.status === live.state.status) return
        // Whatever it did in between, it has not been idle since then.
        this.#idleSinceMs.delete(id)
        this.#wake.call()
      }),
      // Out of sight it may do anything.
      context.printers.onForgotten((id, live) => {
        if (live.accountId === accountId) this.#idleSinceMs.delete(id)
      }),
    ]
  }

  /** What a plug says; of each topic the newest is kept until it is looked at. */
  takeState(topic: string, payload: Buffer): void {
    if (!this.#subscribed.has(topic)) return
    this.#states.set(topic, payload)
    this.#wake.call()
  }

  /** Looks at the plugs until the signal aborts. @throws BrokerProblem when the connection ends */
  async run(link: BrokerLink, signal: AbortSignal): Promise<void> {
    const { memory } = this.#context
    const links = memory.hold(openPlugLinks, undefined)
    links.set(this.#accountId, link)
    try {
      while (!signal.aborted) {
        await this.#look(link)
        await this.#wake.wait(performance.now() + lookMs, { atLeastMs: gatherMs, signal })
      }
    } finally {
      if (links.get(this.#accountId) === link) links.delete(this.#accountId)
    }
  }

  close(): void {
    for (const end of this.#endings) end()
    this.#wake.call()
  }

  async #look(link: BrokerLink): Promise<void> {
    const { sql } = this.#context.db
    this.#plugs = await listPlugs(sql, this.#accountId)
    await this.#subscribe(link)
    await this.#updateStates()
    this.#updateIdle()
    await this.#switchOnWanted(link)
    await this.#switchOffIdle(link)
  }

  async #subscribe(link: BrokerLink): Promise<void> {
    const topics = this.#plugs.map(({ state_topic }) => state_topic).filter((topic) => !this.#subscribed.has(topic))
    for (const topic of topics) this.#subscribed.add(topic)
    await link.subscribe([...new Set(topics)])
  }

  async #updateStates(): Promise<void> {
    const { db, clock } = this.#context
    for (const plug of this.#plugs) {
      const payload = this.#states.get(plug.state_topic)
      const state = payload && readPlugState(payload, plug)
      if (state === undefined || state === plug.state) continue
      plug.state = state
      await writePlugState(db.sql, this.#accountId, plug.id, { state, at: clock.now() })
    }
    this.#states.clear()
  }

  #updateIdle(): void {
    for (const plug of this.#plugs) {
      const isIdle = this.#liveOf(plug)?.status === 'idle'
      if (!isIdle || plug.state === 'off') this.#idleSinceMs.delete(plug.printer_id)
      else if (!this.#idleSinceMs.has(plug.printer_id)) this.#idleSinceMs.set(plug.printer_id, this.#nowMs())
    }
  }

  async #switchOnWanted(link: BrokerLink): Promise<void> {
    const off = this.#plugs.filter((plug) => plug.switches_on && plug.state === 'off' && this.#canSwitch(plug))
    if (off.length === 0) return
    const ids = off.map(({ printer_id }) => printer_id)
    const wanted = await listWantedPrinters(this.#context, this.#accountId, ids)
    for (const plug of off) {
      if (!wanted.has(plug.printer_id)) continue
      this.#switchedAtMs.set(plug.id, this.#nowMs())
      await switchOn(this.#context, this.#accountId, plug, link, {
        actor: 'system',
        reason: 'A job waits for the printer.',
      })
    }
  }

  async #switchOffIdle(link: BrokerLink): Promise<void> {
    for (const plug of this.#plugs) {
      const isDue = isDueOff(plug, this.#idleSinceMs.get(plug.printer_id), this.#nowMs())
      if (!isDue || !this.#canSwitch(plug)) continue
      try {
        const reason = `The printer did nothing for ${plug.off_after_minutes} minutes.`
        await switchOff(this.#context, this.#accountId, plug, link, { actor: 'system', reason })
        this.#switchedAtMs.set(plug.id, this.#nowMs())
      } catch (error) {
        // Hot, or just taken for a print: it is looked at again.
        if (!(error instanceof AppError)) throw error
      }
    }
  }

  #canSwitch({ id }: PlugRow): boolean {
    return this.#nowMs() - (this.#switchedAtMs.get(id) ?? Number.NEGATIVE_INFINITY) >= repeatMs
  }

  /** By the clock of the service, so that tests need not wait. */
  #nowMs(): number {
    return this.#context.clock.now().getTime()
  }

  #liveOf({ printer_id: id, hub_id }: PlugRow) {
    return findOwnLive(this.#context, this.#accountId, { id, hub_id }).live?.state
  }
}

/** The connections over which plugs are told something now, by account. For `context.memory.hold`. */
export function openPlugLinks(): Map<AccountId, BrokerLink> {
  return new Map()
}
