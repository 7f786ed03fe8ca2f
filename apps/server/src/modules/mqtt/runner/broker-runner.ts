import type { Context } from '../../../context/context.ts'
import { isConnectionError } from '../../../db/database-errors.ts'
import type { App } from '../../../http/types.ts'
import { type MqttBrokerId, newId } from '../../../kernel/ids.ts'
import { runWhileListening } from '../../background/account-worker.ts'
import { ClockWatch, latestOf } from '../../outbound/clock-watch.ts'
import { releasePowerAfter } from '../../printers/state/power.queries.ts'
import { Wake } from '../link/wake.ts'
import { powerOffMs } from '../plugs/switch-plug.ts'
import { releaseBrokers, shortenLeases, takeBrokers } from '../settings/broker.queries.ts'
import { BrokerSession } from './broker-session.ts'

const lookMs = 5_000
const leaseMs = 20_000

/** Publishes the farms of all accounts to their brokers from the moment the application listens. */
export function publishToBrokers(app: App, context: Context): void {
  runWhileListening(app, () => startPublishing(context))
}

/** The same without an application that listens. */
function startPublishing(context: Context): { stop: () => Promise<void> } {
  const runner = new BrokerRunner(context)
  return { stop: () => runner.stop() }
}

/** Holds the connections with brokers, one for each account. Any number of processes may run on one database. */
class BrokerRunner {
  readonly #context: Context
  readonly #leaseId = newId('mqttLease')
  readonly #sessions = new Map<MqttBrokerId, BrokerSession>()
  readonly #wake = new Wake()
  readonly #clockWatch = new ClockWatch()
  readonly #ending = new AbortController()
  readonly #running: Promise<void>
  readonly #stopListening: () => void

  constructor(context: Context) {
    this.#context = context
    this.#stopListening = context.db.onChange(({ what }) => {
      if (what.startsWith('mqtt_broker.') || what.startsWith('account.')) this.#wake.call()
    })
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopListening()
    this.#ending.abort()
    await this.#running
    await Promise.all([...this.#sessions.values()].map((session) => session.stop()))
    // Leases that could not be given back end by themselves.
    await releaseBrokers(this.#context.db.sql, this.#leaseId).catch((error: unknown) => this.#logFailure(error))
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      try {
        await this.#look()
      } catch (error) {
        this.#logFailure(error)
      }
      await this.#wake.wait(performance.now() + lookMs, { atLeastMs: 50, signal })
    }
  }

  async #look(): Promise<void> {
    const { db, clock } = this.#context
    const now = clock.now()
    await this.#clockWatch.look(now, async () => {
      await shortenLeases(db.sql, latestOf(now, leaseMs))
      await releasePowerAfter(db.sql, latestOf(now, powerOffMs))
    })
    const lease = { leaseId: this.#leaseId, now, until: new Date(now.getTime() + leaseMs) }
    const rows = new Map((await takeBrokers(db.sql, lease)).map((row) => [row.id, row]))
    for (const [id, session] of this.#sessions) {
      const row = rows.get(id)
      if (row && row.updated_at.getTime() === session.row.updated_at.getTime()) continue
      // One that was removed, or is another broker now, is left as if nothing had been published there.
      await session.stop({ clears: row === undefined || row.url !== session.row.url })
      this.#sessions.delete(id)
    }
    if (this.#ending.signal.aborted) return
    for (const [id, row] of rows) {
      if (!this.#sessions.has(id)) this.#sessions.set(id, new BrokerSession(this.#context, row, this.#leaseId))
    }
  }

  #logFailure(error: unknown): void {
    const words = 'the MQTT brokers could not be looked at; it is tried again'
    if (isConnectionError(error)) this.#context.log.warn({ err: error }, words)
    else this.#context.log.error({ err: error }, words)
  }
}
