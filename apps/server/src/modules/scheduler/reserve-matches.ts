import type { Context } from '../../context/context.ts'
import { type AccountId, type AttemptId, type HubId, type JobId, newId } from '../../kernel/ids.ts'
import type { NewCommand, WrittenCommand } from '../commands/commands.service.ts'
import { type Work, workIn } from '../events/work.ts'
import { type FileOfJob, listFilesOfJobs } from '../jobs/jobs.queries.ts'
import { requestEjection } from '../jobs/life/request-ejection.ts'
import { fileToPrint } from '../jobs/life/send-start.ts'
import { writeOutputsOfOptions } from '../jobs/outputs/job-options.queries.ts'
import type { FarmFacts } from '../matching/farm-facts.ts'
import { filamentMapFor, type SlotOfFilament, slotsOfPlate, takesMap } from '../matching/slot-map.ts'
import { reserveFilament } from '../materials/reserve-filament.ts'
import type { Match } from './plan.ts'
import { type Reservation, reservePrinters } from './reservation.queries.ts'

const actor = 'system'

/** A start that is on record; it may be sent. */
export interface ReservedStart {
  command: NewCommand<'print'> & { hubId: HubId; jobId: JobId; attemptId: AttemptId }
  written: WrittenCommand
}

/** A match as it is to be written. */
interface ReservablePair {
  reservation: Reservation
  /** Which slot each filament of its plate comes from. */
  slots: readonly SlotOfFilament[] | null
}

/** A pair of which both are held now. */
interface HeldPair extends ReservablePair {
  start: ReservedStart
  /** The job named no printer and has got this one. */
  isChosen: boolean
}

/** Reserves the printers of the matches of one page of the queue, in a transaction of its own; leaves out pairs that are not possible any more. */
export async function reserveMatches(
  context: Context,
  accountId: AccountId,
  matches: readonly Match[],
  farm: FarmFacts,
): Promise<ReservedStart[]> {
  if (matches.length === 0) return []
  return context.db.begin(async (sql) => {
    const work = workIn(sql, { accountId, actor, now: context.clock.now() })
    const held = await hold(context, work, await findPairs(context, work, matches, farm))
    await recordHeld(work, held, farm)
    return held.map(({ start }) => start)
  })
}

async function findPairs(
  context: Context,
  { sql, accountId }: Work,
  matches: readonly Match[],
  farm: FarmFacts,
): Promise<ReservablePair[]> {
  const versionIds = [...new Set(matches.map(({ job }) => job.file_version_id))]
  const rows = await listFilesOfJobs(sql, accountId, versionIds)
  const files = new Map(rows.map((file) => [file.file_version_id, file]))
  return matches.flatMap((match) => {
    const file = files.get(match.job.file_version_id)
    return (file && pairOf(context, accountId, match, file, farm)) ?? []
  })
}

function pairOf(
  context: Context,
  accountId: AccountId,
  { job, printer }: Match,
  file: FileOfJob,
  farm: FarmFacts,
): ReservablePair | undefined {
  if (printer.hub_id === null) return undefined
  const attemptId = newId('attempt')
  const { ejection, args } = requestEjection(context, printer.hub_id, printer, file)
  const { plate_run_mark: mark } = printer
  const filamentMap = takesMap(printer.connection_type, file.format) ? filamentMapFor(printer, job, farm) : undefined
  return {
    reservation: {
      attempt_id: attemptId,
      command_id: newId('command'),
      job_id: job.id,
      printer_id: printer.id,
      hub_id: printer.hub_id,
      file_version_id: job.file_version_id,
      plate_number: job.plates_done + 1,
      option: job.option,
      fence: printer.fence,
      args: {
        attempt_id: attemptId,
        file: fileToPrint(context, accountId, printer.hub_id, file),
        ...(mark !== null && { run_mark: mark }),
        ...(filamentMap && { filament_map: filamentMap }),
        ...args,
      },
      ejection,
    },
    slots: slotsOfPlate(printer, job, farm, filamentMap),
  }
}

async function hold(context: Context, work: Work, pairs: readonly ReservablePair[]): Promise<HeldPair[]> {
  const deadline = new Date(work.now.getTime() + context.timeouts.startMs)
  const reservations = pairs.map(({ reservation }) => reservation)
  const rows = await reservePrinters(work.sql, work.accountId, reservations, { actor, at: work.now, deadline })
  const reserved = new Map(rows.map((row) => [row.attempt_id, row]))
  return pairs.flatMap((pair): HeldPair[] => {
    const { reservation } = pair
    const row = reserved.get(reservation.attempt_id)
    if (!row) return []
    const written = { commandId: reservation.command_id, fence: row.fence, deadline }
    return [{ ...pair, start: { command: commandOf(reservation), written }, isChosen: row.is_chosen }]
  })
}

/** What goes with the reservations: filament of the spools, what the jobs yield in the way that they have now, and events. */
async function recordHeld(work: Work, held: readonly HeldPair[], farm: FarmFacts): Promise<void> {
  const plates = held.map(({ reservation, slots }) => {
    const { attempt_id: attemptId, printer_id: printerId } = reservation
    return { attemptId, printerId, slots }
  })
  await reserveFilament(work, plates, farm)
  const firstPlates = held
    .filter(({ reservation: { option, plate_number } }) => option !== null && plate_number === 1)
    .map(({ reservation }) => reservation.job_id)
  if (firstPlates.length > 0) await writeOutputsOfOptions(work.sql, work.accountId, firstPlates)
  const chosen = held.filter(({ isChosen }) => isChosen).map(({ reservation }) => reservation)
  await work.recordAll(
    chosen.map(({ job_id, printer_id, attempt_id }) => ({
      type: 'job.assigned',
      subjectId: job_id,
      data: { printer_id, attempt_id, by: 'scheduler' },
    })),
  )
}

function commandOf(reservation: Reservation): ReservedStart['command'] {
  return {
    printerId: reservation.printer_id,
    hubId: reservation.hub_id,
    jobId: reservation.job_id,
    attemptId: reservation.attempt_id,
    kind: 'print',
    args: reservation.args,
    actor,
  }
}
