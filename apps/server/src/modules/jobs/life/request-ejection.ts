import type { CommandArguments } from '@printyard/protocol/commands'
import { EJECTION_CAPABILITY } from '@printyard/protocol/version'
import type { Context } from '../../../context/context.ts'
import type { AttemptRow, PrinterRow } from '../../../db/rows.generated.ts'
import type { HubId } from '../../../kernel/ids.ts'
import { composeEjection, type EjectionRefusal } from '../../printers/models/ejection-gcode.ts'
import type { FileOfJob } from '../jobs.queries.ts'

/** What decides how a printer ejects. */
type EjectingPrinter = Pick<PrinterRow, 'model' | 'connection_type' | 'ejection_cooldown_temp' | 'ejection_gcode'>

/** The ejection of a print: what the attempt keeps of it, and what is added to the command. */
export interface EjectionRequest {
  ejection: AttemptRow['ejection']
  args: Pick<CommandArguments<'print'>, 'ejection_gcode'>
}

/**
 * Decides for one print whether it is to push itself off. Where that is not certain to work it is printed anyway, and
 * its plate waits for a person as any other.
 */
export function requestEjection(
  context: Pick<Context, 'hubs'>,
  hubId: HubId,
  printer: EjectingPrinter,
  file: Pick<FileOfJob, 'format' | 'max_z_mm'>,
): EjectionRequest {
  if (printer.ejection_cooldown_temp === null) return { ejection: null, args: {} }
  if (!context.hubs.find(hubId)?.capabilities?.has(EJECTION_CAPABILITY)) return { ejection: 'hub_too_old', args: {} }
  const ejection = { cooldown_temp: printer.ejection_cooldown_temp, gcode: printer.ejection_gcode }
  const composed = composeEjection(ejection, printer, file)
  if ('refusal' in composed) return { ejection: composed.refusal, args: {} }
  return { ejection: 'ordered', args: { ejection_gcode: composed.gcode } }
}

/** Reason why a print was not ejected, for the one who has to take it off. */
export const refusalSentences: Record<EjectionRefusal, string> = {
  hub_too_old: 'It was not ejected: the hub is too old for that.',
  format_not_supported: 'It was not ejected: only .gcode and .bgcode files can be.',
  no_gcode_for_model: 'It was not ejected: no ejection is known for this model.',
  height_not_known: 'It was not ejected: its file does not say how high it is.',
  too_flat: 'It was not ejected: it is too flat to be pushed.',
  too_tall: 'It was not ejected: it is too tall for the toolhead to pass above it.',
}
