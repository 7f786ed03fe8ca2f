import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '../../../context/context.ts'
import { backOffMs } from '../../../kernel/back-off.ts'
import { workIn } from '../../events/work.ts'
import { readBrokerUrl } from '../link/broker-address.ts'
import { type BrokerLink, BrokerProblem, type BrokerSettings, openBrokerLink } from '../link/broker-link.ts'
import { reachOf } from '../link/reach.ts'
import { PlugKeeper } from '../plugs/plug-keeper.ts'
import { CommandQueue } from '../publish/command-queue.ts'
import { FarmPublisher } from '../publish/farm-publisher.ts'
import { type BrokerRow, updateBrokerState } from '../settings/broker.queries.ts'
import { settingsOf } from '../settings/broker.service.ts'
import { birthTopic, printerCommandTopic, serviceStatusTopic } from '../topics/topics.ts'

const firstRetryMs = 1_000
const longestRetryMs = 60_000

/** A broker that does not let us in is asked seldom: some lock out who asks again and again. */
const refusedRetryMs = 5 * 60_000

/** Failures in a row that people are told of. */
const reportAfterFailures = 3

/** Home Assistant asks that not everything answers its start at once. */
const birthSpreadMs = 3_000

/** The next session has the broker: nothing more is recorded of it here. */
class LeaseLost extends Error {}

/**
 * What one process does at the broker of an account: connects, again and again, and publishes while it is connected. Nothing is kept for a
 * broker that is away: after each connection everything is published as it is then.
 */
export class BrokerSession {
  readonly row: BrokerRow
  readonly #context: Context
  readonly #leaseId: string
  readonly #ending = new AbortController()
  readonly #running: Promise<void>
  #published: Set<string>
  #failures = 0
  #failingSince: Date | null
  #firstFailureAt: Date | null = null
  #clearsAtEnd = false

  constructor(context: Context, row: BrokerRow, leaseId: string) {
    this.#context = context
    this.row = row
    this.#leaseId = leaseId
    this.#published = new Set(row.published)
    this.#failingSince = row.failing_since
    this.#running = this.#run()
  }

  /** Says goodbye to the broker. @param options.clears whether what was published is cleared before */
  async stop({ clears = false } = {}): Promise<void> {
    this.#clearsAtEnd = clears
    this.#ending.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      let retryMs: number
      try {
        await this.#connectOnce()
        return
      } catch (error) {
        if (error instanceof LeaseLost || signal.aborted) return
        retryMs = await this.#settleFailure(error)
      }
      await wait(retryMs, undefined, { signal }).catch(() => undefined)
    }
  }

  /** One connection, until the session is to end. @throws BrokerProblem when it ends otherwise */
  async #connectOnce(): Promise<void> {
    const { row } = this
    const { signal } = this.#ending
    const status = serviceStatusTopic(row)
    const settings = this.#settings()
    const commands = new CommandQueue(this.#context, row)
    const plugs = new PlugKeeper(this.#context, row.account_id)
    let publisher: FarmPublisher | undefined
    const link = await openBrokerLink(reachOf(this.#context), {
      address: readBrokerUrl(row.url),
      settings,
      // The same in every process: the broker closes the connection of a process that is replaced.
      clientId: `printyard-${row.id}`,
      ...(row.is_active && { will: { topic: status, payload: 'offline' } }),
      connectSignal: signal,
      onMessage: ({ topic, payload, isRetained }) => {
        if (topic === birthTopic(row)) {
          if (!isRetained && payload.toString() === 'online') publisher?.publishAllWithin(birthSpreadMs)
        } else if (!commands.take(topic, payload, isRetained)) plugs.takeState(topic, payload)
      },
    })
    try {
      if (!row.is_active) {
        await this.#clear(link)
        return
      }
      publisher = new FarmPublisher(this.#context, row, link, (topics) => this.#updatePublished(link, topics))
      await link.subscribe([
        birthTopic(row),
        ...(row.allowed_commands.length > 0 ? [printerCommandTopic(row, '+')] : []),
      ])
      await link.publish(status, 'online', { isRetained: true })
      await publisher.publishAll()
      await this.#recordConnected()
      commands.start(link, (printerId) => publisher?.touch(printerId))
      await Promise.race([
        Promise.all([publisher.run(signal), plugs.run(link, signal)]),
        link.closed.then((reason) => {
          throw new BrokerProblem(reason)
        }),
      ])
      await this.#sayGoodbye(link, status)
    } finally {
      publisher?.close()
      plugs.close()
      commands.close()
      await link.end()
    }
  }

  async #sayGoodbye(link: BrokerLink, status: string): Promise<void> {
    try {
      if (this.#clearsAtEnd) await this.#clear(link)
      else await link.publish(status, 'offline', { isRetained: true })
    } catch (error) {
      // The broker publishes the last will instead.
      this.#context.log.info({ err: error, broker_id: this.row.id }, 'an MQTT broker was left without a goodbye')
    }
  }

  #settings(): BrokerSettings {
    const settings = settingsOf(this.#context, this.row)
    if (settings) return settings
    throw new BrokerProblem('The stored credentials cannot be decrypted: enter them again.', { isRefusal: true })
  }

  /** Records what is about to be published, then clears what is there and not among it. */
  async #updatePublished(link: BrokerLink, topics: readonly string[]): Promise<void> {
    const wanted = new Set([serviceStatusTopic(this.row), ...topics])
    const stale = [...this.#published].filter((topic) => !wanted.has(topic))
    const isNew = [...wanted].some((topic) => !this.#published.has(topic))
    if (isNew) await this.#recordPublished(new Set([...this.#published, ...wanted]))
    for (const topic of stale) await link.publish(topic, '', { isRetained: true })
    if (stale.length > 0) await this.#recordPublished(wanted)
  }

  async #clear(link: BrokerLink): Promise<void> {
    for (const topic of this.#published) await link.publish(topic, '', { isRetained: true })
    const isHeld = await this.#record({ published: [] })
    if (isHeld) this.#published = new Set()
  }

  async #recordPublished(topics: Set<string>): Promise<void> {
    if (!(await this.#record({ published: [...topics] }))) throw new LeaseLost()
    this.#published = topics
  }

  async #recordConnected(): Promise<void> {
    const wasTold = this.#failingSince !== null
    this.#failures = 0
    this.#failingSince = null
    this.#firstFailureAt = null
    const now = this.#context.clock.now()
    const isHeld = await this.#record(
      { connected_since: now, failing_since: null, problem: null },
      wasTold ? { type: 'mqtt_broker.recovered', data: {} } : undefined,
    )
    if (!isHeld) throw new LeaseLost()
  }

  /** @returns after how long to connect again */
  async #settleFailure(error: unknown): Promise<number> {
    const { clock, log } = this.#context
    if (!(error instanceof BrokerProblem)) {
      log.error({ err: error, broker_id: this.row.id }, 'publishing to an MQTT broker failed; it is tried again')
    }
    const problem =
      error instanceof BrokerProblem ? error.message : 'Printyard itself failed; its log says more. It is tried again.'
    const isRefusal = error instanceof BrokerProblem && error.isRefusal
    this.#failures += 1
    this.#firstFailureAt ??= clock.now()
    const isTold = this.#failingSince === null && (this.#failures >= reportAfterFailures || isRefusal)
    if (isTold) this.#failingSince = this.#firstFailureAt
    try {
      await this.#record(
        { connected_since: null, failing_since: this.#failingSince, problem },
        isTold ? { type: 'mqtt_broker.failing', data: { problem } } : undefined,
      )
    } catch (writing) {
      log.warn({ err: writing, broker_id: this.row.id }, 'it could not be recorded that an MQTT broker is away')
    }
    const backOff = backOffMs(this.#failures, { firstMs: firstRetryMs, longestMs: longestRetryMs })
    return (isRefusal ? refusedRetryMs : backOff) * (0.75 + 0.5 * Math.random())
  }

  async #record(
    change: Parameters<typeof updateBrokerState>[3],
    event?:
      | { type: 'mqtt_broker.recovered'; data: Record<never, never> }
      | { type: 'mqtt_broker.failing'; data: { problem: string } },
  ): Promise<boolean> {
    const { db, clock } = this.#context
    const { account_id: accountId, id } = this.row
    return db.begin(async (sql) => {
      const work = workIn(sql, { accountId, actor: 'system', now: clock.now() })
      const isHeld = await updateBrokerState(work, this.#leaseId, id, change)
      if (isHeld && event) await work.record({ ...event, subjectId: id })
      return isHeld
    })
  }
}
