import type { Context } from '../../../context/context.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { notFound, validationError } from '../../../kernel/errors.ts'
import type { CommandId, PrinterId } from '../../../kernel/ids.ts'
import { findLiveAttemptOfPrinter } from '../../attempts/attempts.queries.ts'
import { workOf } from '../../events/work.ts'
import type { FailureType } from '../../failures/failure-type.ts'
import { pauseJob, resumeJob, stopJob } from '../../jobs/life/running-job.ts'
import { freeFromAttempt, releaseAttempt } from '../../jobs/life/seen-over.ts'
import { clearPlate, lockPlate } from '../../jobs/plates/plate.ts'
import { hasRejects, type RejectedUnits } from '../../jobs/plates/rejected-units.ts'
import { type PrinterPlace, statusNow } from '../live-printer.ts'
import { findPrinterPlace } from '../printer-control.queries.ts'
import { sendClearedPlate } from '../send-settings.ts'
import { commandPrinter, type GivenCommand, invalidState } from './command-printer.ts'

export const controlActions = ['pause', 'resume', 'stop', 'clear_bed'] as const
type ControlAction = (typeof controlActions)[number]

/** In which states a printer can do what is asked of it. */
const possibleIn: Record<Exclude<ControlAction, 'clear_bed'>, string[]> = {
  pause: ['printing'],
  resume: ['paused'],
  stop: ['printing', 'paused'],
}

const jobCommands: Record<keyof typeof possibleIn, typeof stopJob> = {
  pause: pauseJob,
  resume: resumeJob,
  stop: stopJob,
}

/**
 * Acts on whatever a printer is doing. For a job of ours this is the job's own command, with its claim and its record;
 * for a print that a person started at the printer's screen the command goes to the printer alone.
 */
export async function controlPrinter(
  context: Context,
  actor: Actor,
  printerId: PrinterId,
  action: ControlAction,
  {
    rejected,
    seenOver,
    failureType,
  }: { rejected: Omit<RejectedUnits, 'type'>; seenOver: boolean; failureType: FailureType | null },
): Promise<{
  printer_id: PrinterId
  action: ControlAction
  status: ReturnType<typeof statusNow>
  command_id: CommandId | null
  pending?: string
}> {
  const { accountId } = actor
  const printer = await findPrinterPlace(context.db.sql, accountId, printerId)
  if (!printer) throw notFound('printer')
  if (hasRejects(rejected) && action !== 'clear_bed') {
    const field = rejected.quantity > 0 ? 'quantity_rejected' : 'rejected'
    throw validationError({ [field]: ['is possible with clear_bed only'] })
  }
  if (failureType !== null && action === 'clear_bed' && !hasRejects(rejected)) {
    throw validationError({ failure_type: ['is possible with bad units only, when a plate is cleared'] })
  }
  const done = (commandId: CommandId | null, pending?: string) => ({
    printer_id: printerId,
    action,
    status: statusNow(context, accountId, printer),
    command_id: commandId,
    ...(pending !== undefined && { pending }),
  })
  if (action === 'clear_bed') {
    await clearBed(context, actor, printer, { rejected: { ...rejected, type: failureType }, seenOver })
    return done(null)
  }
  const attempt = await findLiveAttemptOfPrinter(context.db.sql, accountId, printerId)
  if (attempt) {
    const { commandId, job } = await jobCommands[action](context, actor, attempt.job_id, { seenOver, failureType })
    return done(commandId, job.pending)
  }
  const given = await commandForeignPrint(context, actor, printer, action)
  return done(given.commandId, given.pending)
}

/** True when an idle printer still shows that its last print ended with an error; a stop takes that away. */
function showsPrintError(context: Context, printerId: PrinterId): boolean {
  const problems = context.printers.find(printerId)?.state.problems
  return problems?.some(({ reason }) => reason === 'print_error') ?? false
}

async function commandForeignPrint(
  context: Context,
  actor: Actor,
  printer: PrinterPlace,
  action: Exclude<ControlAction, 'clear_bed'>,
): Promise<GivenCommand> {
  return commandPrinter(context, actor, printer, action, { attempt_id: null }, (status) => {
    const isAcknowledging = action === 'stop' && status === 'idle' && showsPrintError(context, printer.id)
    if (!isAcknowledging && !possibleIn[action].includes(status)) throw invalidState(action, status)
  })
}

/** A person says that the plate is empty, and with `seenOver` that the print on it is over; this needs no printer that answers. */
async function clearBed(
  context: Context,
  actor: Actor,
  printer: PrinterPlace,
  { rejected, seenOver }: { rejected: RejectedUnits; seenOver: boolean },
): Promise<void> {
  const { accountId } = actor
  const { ended, plate } = await context.db.beginFor(actor.accountId, async (sql) => {
    const work = workOf(context, actor, sql)
    // Before the plate is locked: the end of an attempt locks it too.
    const ended = await freeFromAttempt(context, work, printer.id, { action: 'be cleared', seenOver })
    const plate = await lockPlate(sql, accountId, printer.id)
    await clearPlate(context, work, plate, { how: 'person', rejected, seenOver })
    return { ended, plate }
  })
  if (ended) releaseAttempt(context, ended)
  await sendClearedPlate(context, accountId, plate)
}
