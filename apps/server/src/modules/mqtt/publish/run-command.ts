import type { Context } from '../../../context/context.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { AccountId, MqttBrokerId, PrinterId } from '../../../kernel/ids.ts'
import { commandDevice } from '../../printers/control/device-commands.service.ts'
import { controlPrinter } from '../../printers/control/printer-control.service.ts'
import type { CommandWord } from '../settings/allowed-commands.ts'

export interface CommandResult {
  command: CommandWord
  result: 'done' | 'refused'
  message: string | null
}

/** Answers what acts for what comes by MQTT, in records. */
export const actorOfBroker = (accountId: AccountId, brokerId: MqttBrokerId): Actor => ({
  accountId,
  label: `mqtt:${brokerId}`,
  scopes: ['read', 'control'],
})

/** Does what the same request of the API does. What is refused is told, in the words of the API. */
export async function runCommand(
  context: Context,
  actor: Actor,
  printerId: PrinterId,
  word: CommandWord,
): Promise<CommandResult> {
  try {
    if (word === 'light_on' || word === 'light_off') {
      await commandDevice(context, actor, printerId, 'light', { on: word === 'light_on' })
    } else {
      const rejected = { quantity: 0, outputs: [] }
      await controlPrinter(context, actor, printerId, word, { rejected, seenOver: false, failureType: null })
    }
    return { command: word, result: 'done', message: null }
  } catch (error) {
    if (error instanceof AppError) return { command: word, result: 'refused', message: error.message }
    throw error
  }
}
