import type { HubMessageBody, HubMessageName } from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import type { Journal } from '../journal/journal.ts'
import type { CommandResult } from '../journal/journal-state.ts'
import { Link, type LinkOptions } from './link.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { createTelemetry, type Telemetry } from './telemetry.ts'

/** Telemetry waits while more than this is on its way; everything else is sent nevertheless. */
const MAX_BACKLOG_BYTES = 1024 * 1024

interface UplinkOptions extends LinkOptions {
  journal: Journal
  states: ReadonlyMap<string, PrinterState>
}

/** All that goes to the service: the connection, what the journal owes, and the pictures of the printers. */
export class Uplink {
  readonly #link: Link
  readonly #outbox: Outbox
  readonly #telemetry: Telemetry
  readonly #clock: LinkOptions['clock']

  constructor(options: UplinkOptions) {
    const { journal, states, timings, clock } = options
    this.#clock = clock
    this.#link = new Link({
      ...options,
      onWelcome: (message) => {
        this.#outbox.startAfresh()
        this.#outbox.flush()
        options.onWelcome(message)
        this.#telemetry.startAfresh()
      },
    })
    this.#outbox = createOutbox(journal, ({ type, id, ts, ...body }) =>
      // The body belongs to the type: both come from one journalled message.
      this.#link.send(type, body as HubMessageBody<typeof type>, { id, ts }),
    )
    this.#telemetry = createTelemetry({
      states,
      intervalMs: timings.telemetryMs,
      send: (printers) => this.backlogBytes <= MAX_BACKLOG_BYTES && this.send('telemetry', { printers }),
    })
  }

  /** Bytes that wait for the network. */
  get backlogBytes(): number {
    return this.#link.backlogBytes
  }

  start(): void {
    this.#link.start()
  }

  /** Closes the connection; what is told after that stays in the journal. */
  stop(): Promise<void> {
    return this.#link.stop()
  }

  /** Ends the timer of the telemetry. */
  endTelemetry(): void {
    this.#telemetry.stop()
  }

  /** False when there is no connection. */
  send<N extends HubMessageName>(type: N, body: HubMessageBody<N>): boolean {
    return this.#link.send(type, body)
  }

  /** Tells a result once. */
  answer(id: string, result: CommandResult): void {
    this.#link.send('result', result, { id, ts: new Date(this.#clock()).toISOString() })
  }

  /** The journal owes something; the pictures that it follows from go first. */
  flush(): void {
    this.#telemetry.flush()
    this.#outbox.flush()
  }

  /** A printer has a new picture. */
  showPrinter(printerId: string): void {
    this.#telemetry.markChanged(printerId)
  }

  acknowledge(ids: readonly string[]): void {
    this.#outbox.acknowledge(ids)
  }
}
