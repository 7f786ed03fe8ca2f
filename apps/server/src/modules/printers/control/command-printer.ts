import type { CommandKind } from '@printyard/protocol/command-kinds'
import type { CommandArguments } from '@printyard/protocol/commands'
import type { PrinterStatus } from '@printyard/protocol/printer-state'
import type { Context } from '../../../context/context.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { CommandId } from '../../../kernel/ids.ts'
import { commandError, type NewCommand, sendCommand, writeCommand } from '../../commands/commands.service.ts'
import { hubAway } from '../../hubs/state/hub-away.ts'
import { type PrinterPlace, statusNow } from '../live-printer.ts'

/** A command that the printer took. */
export interface GivenCommand {
  commandId: CommandId
  /** Time when it takes effect, for people; undefined when the printer shows the effect. */
  pending: string | undefined
}

/**
 * Sends a command that belongs to no job to a printer and waits until the printer shows its effect. `refuseUnless` looks at
 * what the printer is doing before anything is put on record.
 */
export async function commandPrinter<K extends CommandKind>(
  context: Context,
  actor: Actor,
  printer: PrinterPlace,
  kind: K,
  args: CommandArguments<K>,
  refuseUnless: (status: PrinterStatus) => void,
): Promise<GivenCommand> {
  if (!printer.hub_id) throw new AppError('NO_HUB_ASSIGNED')
  await context.hubs.waitForReturn(printer.hub_id, printer.id)
  if (!context.hubs.isOnline(printer.hub_id)) throw hubAway(context)
  refuseUnless(statusNow(context, actor.accountId, printer))
  const command: NewCommand<K> = {
    printerId: printer.id,
    hubId: printer.hub_id,
    jobId: null,
    attemptId: null,
    kind,
    args,
    actor: actor.label,
  }
  const written = await context.db.beginFor(actor.accountId, (sql) =>
    writeCommand(context, sql, actor.accountId, command),
  )
  const answer = await sendCommand(context, actor.accountId, command, written)
  if (answer.kind === 'refused' && answer.code === 'WRONG_STATE') {
    const status = statusNow(context, actor.accountId, printer)
    const message = `The printer cannot do that now: ${answer.message}.`
    throw new AppError('INVALID_STATE', {}, { message, details: { status, reason: 'wrong_state' } })
  }
  if (answer.kind !== 'succeeded') throw commandError(answer)
  return { commandId: written.commandId, pending: answer.pending }
}

/** What was asked does not fit what the printer is doing. */
export function invalidState(action: string, status: string): AppError {
  return new AppError('INVALID_STATE', { action, status }, { details: { status } })
}
