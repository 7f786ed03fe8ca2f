import type { Actor } from '../../actor.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { recordEvent } from '../events/events.queries.ts'
import { findLiveAttemptOfPrinter } from '../jobs/attempts.queries.ts'
import { pauseJob, resumeJob, stopJob } from '../jobs/running-job.ts'
import { findOwnLive, type PrinterPlace, statusNow } from './live-printer.ts'
import { invalidState, orderPrinter } from './order-printer.ts'
import { clearPlate, findPrinterPlace } from './printer-control.queries.ts'
import { sendPrinterSettings } from './printers.service.ts'

export const controlActions = ['pause', 'resume', 'stop', 'clear_bed'] as const
export type ControlAction = (typeof controlActions)[number]

/** In which states a printer can do what is asked of it. */
const possibleIn: Record<Exclude<ControlAction, 'clear_bed'>, string[]> = {
  pause: ['printing'],
  resume: ['paused'],
  stop: ['printing', 'paused'],
}

const jobCommands = { pause: pauseJob, resume: resumeJob, stop: stopJob }

/**
 * Acts on whatever a printer is doing. For a job of ours this is the job's own command, with its claim and its record;
 * for a print that somebody started at the printer's screen the order goes to the printer alone.
 */
export async function controlPrinter(
  context: Context,
  actor: Actor,
  printerId: string,
  action: ControlAction,
): Promise<{
  printer_id: string
  action: ControlAction
  status: ReturnType<typeof statusNow>
  command_id: string | null
}> {
  const { accountId } = actor
  const printer = await findPrinterPlace(context.db.sql, accountId, printerId)
  if (!printer) throw notFound('printer')
  const done = (commandId: string | null) => ({
    printer_id: printerId,
    action,
    status: statusNow(context.hubs, accountId, printer),
    command_id: commandId,
  })
  if (action === 'clear_bed') {
    await clearBed(context, actor, printer)
    return done(null)
  }
  const attempt = await findLiveAttemptOfPrinter(context.db.sql, accountId, printerId)
  if (attempt) {
    const { commandId } = await jobCommands[action](context, actor, attempt.job_id)
    return done(commandId)
  }
  return done(await commandForeignPrint(context, actor, printer, action))
}

async function commandForeignPrint(
  context: Context,
  actor: Actor,
  printer: PrinterPlace,
  action: Exclude<ControlAction, 'clear_bed'>,
): Promise<string> {
  return orderPrinter(context, actor, printer, action, { attempt_id: null }, (status) => {
    if (!possibleIn[action].includes(status)) throw invalidState(action, status)
  })
}

/** A person says that the plate is empty. Not while anything prints on it, whoever started that. */
async function clearBed(context: Context, actor: Actor, printer: PrinterPlace): Promise<void> {
  const { accountId } = actor
  const live = findOwnLive(context.hubs, accountId, printer).live?.state
  if (live && (live.status === 'printing' || live.status === 'paused')) throw invalidState('be cleared', live.status)
  await context.db.begin(async (sql) => {
    const isCleared = await clearPlate(sql, accountId, printer.id, { by: actor.label, at: context.clock.now() })
    if (!isCleared) throw invalidState('be cleared', 'reserved for a job')
    await recordEvent(sql, accountId, {
      type: 'printer.plate_cleared',
      subjectId: printer.id,
      data: { how: 'person' },
      actor: actor.label,
    })
  })
  if (printer.hub_id) await sendPrinterSettings(context, accountId, printer.hub_id)
}
