import type { Context } from '../../../context/context.ts'
import { type PrinterId, readId } from '../../../kernel/ids.ts'
import type { BrokerLink } from '../link/broker-link.ts'
import { type CommandWord, neededFor, readCommand } from '../settings/allowed-commands.ts'
import type { BrokerRow } from '../settings/broker.queries.ts'
import { commandResultTopic, printerOfCommand } from '../topics/topics.ts'
import { actorOfBroker, type CommandResult, runCommand } from './run-command.ts'

/** Commands of one printer that wait for the one before; of more, the newest are refused. */
const mostWaiting = 4

/** Commands that wait or run, of all printers. */
const mostCommands = 100

/** Runs what is asked of printers by MQTT, for each printer one command after another. */
export class CommandQueue {
  readonly #context: Context
  readonly #row: BrokerRow
  readonly #waiting = new Map<PrinterId, { count: number; last: Promise<void> }>()
  #link: BrokerLink | undefined
  #touch: (printerId: PrinterId) => void = () => undefined

  constructor(context: Context, row: BrokerRow) {
    this.#context = context
    this.#row = row
  }

  /** Commands are taken from now on. */
  start(link: BrokerLink, touch: (printerId: PrinterId) => void): void {
    this.#link = link
    this.#touch = touch
  }

  /** What is under way goes on; nothing more is told of it. */
  close(): void {
    this.#link = undefined
  }

  /** @returns whether the topic is one of commands */
  take(topic: string, payload: Buffer, isRetained: boolean): boolean {
    const named = printerOfCommand(this.#row, topic)
    if (named === undefined) return false
    const printerId = readId('printer', named)
    // A retained command would be given again at every connection.
    if (isRetained || !this.#link || printerId === undefined) return true
    const word = readCommand(payload)
    if (word === undefined) return true
    const refusal = this.#refusalOf(printerId, word)
    if (refusal === undefined) this.#enqueue(printerId, word)
    else void this.#tell(printerId, { command: word, result: 'refused', message: refusal })
    return true
  }

  #refusalOf(printerId: PrinterId, word: CommandWord): string | undefined {
    if (!this.#row.allowed_commands.includes(neededFor(word))) return 'The settings do not allow this by MQTT.'
    const total = [...this.#waiting.values()].reduce((sum, { count }) => sum + count, 0)
    const isFull = (this.#waiting.get(printerId)?.count ?? 0) >= mostWaiting || total >= mostCommands
    return isFull ? 'Too many commands wait.' : undefined
  }

  #enqueue(printerId: PrinterId, word: CommandWord): void {
    const known = this.#waiting.get(printerId)
    const last = (known?.last ?? Promise.resolve()).then(() => this.#run(printerId, word))
    this.#waiting.set(printerId, { count: (known?.count ?? 0) + 1, last })
  }

  /** Never rejects. */
  async #run(printerId: PrinterId, word: CommandWord): Promise<void> {
    const { account_id: accountId, id } = this.#row
    try {
      const result = await runCommand(this.#context, actorOfBroker(accountId, id), printerId, word)
      await this.#tell(printerId, result)
    } catch (error) {
      this.#context.log.error({ err: error, printer_id: printerId, command: word }, 'a command by MQTT failed')
      await this.#tell(printerId, { command: word, result: 'refused', message: 'Printyard itself failed.' })
    } finally {
      const known = this.#waiting.get(printerId)
      if (known && known.count > 1) known.count -= 1
      else this.#waiting.delete(printerId)
      this.#touch(printerId)
    }
  }

  /** Never rejects: a connection that ends says so itself. */
  async #tell(printerId: PrinterId, result: CommandResult): Promise<void> {
    await this.#link?.send(commandResultTopic(this.#row, printerId), JSON.stringify(result)).catch(() => undefined)
  }
}
