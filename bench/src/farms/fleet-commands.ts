import type { TestHub } from '@printyard/server/test/farm/test-hub'
import type { Fleet } from './fleet.ts'

type Command = ReturnType<TestHub['commands']>[number]

/** The last command of a printer, and the hub that has it. */
interface Given {
  hub: TestHub
  last: Command
}

/**
 * The commands that the hubs of a fleet have got. Each message is looked at once: who asks every few milliseconds takes no
 * processor time from the service that is measured.
 */
export class FleetCommands {
  readonly #hubs: { hub: TestHub; seen: number }[]
  readonly #byPrinter = new Map<string, Given>()
  #count = 0

  constructor({ hubs }: Fleet) {
    this.#hubs = hubs.map(({ hub }) => ({ hub, seen: 0 }))
  }

  /** Commands so far. */
  get count(): number {
    this.#look()
    return this.#count
  }

  /** Printers that have had a command, in the order in which they got their first. */
  get started(): ReadonlyMap<string, Given> {
    this.#look()
    return this.#byPrinter
  }

  #look(): void {
    for (const entry of this.#hubs) {
      const { received } = entry.hub
      for (; entry.seen < received.length; entry.seen += 1) {
        const message = received[entry.seen]
        if (message?.type !== 'command') continue
        this.#count += 1
        this.#byPrinter.set(message.printer_id, { hub: entry.hub, last: message })
      }
    }
  }
}
