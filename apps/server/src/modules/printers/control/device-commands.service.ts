import type { CommandArguments } from '@printyard/protocol/commands'
import type { Context } from '../../../context/context.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { type FieldErrors, notFound, validationError } from '../../../kernel/errors.ts'
import type { CommandId, PrinterId } from '../../../kernel/ids.ts'
import { statusNow } from '../live-printer.ts'
import { type HeaterLimits, limitsOf } from '../models/printer-models.ts'
import { findPrinterToCommand } from '../printer-control.queries.ts'
import { commandPrinter, invalidState } from './command-printer.ts'

/** Commands to the machine itself, which belong to no job. */
export type DeviceCommandKind = 'heaters' | 'light' | 'load_filament' | 'unload_filament'

/** While one of these the printer's filament may be changed. */
const filamentStates = ['idle', 'paused', 'maintenance']

/**
 * Sends a command to the machine and waits until it shows the effect. Heater targets above what the model can bear are
 * refused with the field; nothing is lowered silently.
 */
export async function commandDevice<K extends DeviceCommandKind>(
  context: Context,
  actor: Actor,
  printerId: PrinterId,
  kind: K,
  args: CommandArguments<K>,
): Promise<{
  printer_id: PrinterId
  kind: K
  status: ReturnType<typeof statusNow>
  command_id: CommandId
  pending?: string
}> {
  const printer = await findPrinterToCommand(context.db.sql, actor.accountId, printerId)
  if (!printer) throw notFound('printer')
  const limits = limitsOf(printer.model)
  if (kind === 'heaters') refuseTooHot(args as CommandArguments<'heaters'>, limits)
  const { temperature } = args as { temperature?: number | null }
  if (temperature !== undefined && temperature !== null) refuseTooHot({ nozzle: temperature }, limits, 'temperature')

  const { commandId, pending } = await commandPrinter(context, actor, printer, kind, args, (status) => {
    if (status === 'offline') throw invalidState(sentences[kind], status)
    const isFilament = kind === 'load_filament' || kind === 'unload_filament'
    if (isFilament && !filamentStates.includes(status)) throw invalidState(sentences[kind], status)
  })
  return {
    printer_id: printerId,
    kind,
    status: statusNow(context, actor.accountId, printer),
    command_id: commandId,
    ...(pending !== undefined && { pending }),
  }
}

const sentences: Record<DeviceCommandKind, string> = {
  heaters: 'set heaters',
  light: 'switch the light',
  load_filament: 'load filament',
  unload_filament: 'unload filament',
}

function refuseTooHot(targets: CommandArguments<'heaters'>, limits: HeaterLimits, field?: string): void {
  const errors: FieldErrors = {}
  for (const part of ['nozzle', 'bed', 'chamber'] as const) {
    const target = targets[part]
    if (target === undefined || target <= limits[part]) continue
    errors[field ?? part] = [
      limits[part] === 0
        ? `this printer model has no ${part} heater`
        : `must be at most ${limits[part]}, what this printer model can bear`,
    ]
  }
  if (Object.keys(errors).length > 0) throw validationError(errors)
}
