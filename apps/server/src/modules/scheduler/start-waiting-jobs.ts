import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import { type AccountId, type AttemptId, type HubId, type JobId, newId, type PrinterId } from '../../kernel/ids.ts'
import { findOwnLive } from '../../live/own-printer.ts'
import type { NewCommand, WrittenCommand } from '../commands/commands.service.ts'
import { workIn } from '../events/work.ts'
import { listFilesOfJobs } from '../jobs/jobs.queries.ts'
import { requestEjection } from '../jobs/life/request-ejection.ts'
import { fileToPrint, sendStart } from '../jobs/life/send-start.ts'
import { writeOutputsOfOptions } from '../jobs/outputs/job-options.queries.ts'
import type { FarmFacts, PrinterFacts } from '../matching/farm-facts.ts'
import { fold } from '../matching/filament-match.ts'
import { type LoadedFarm, loadFarm } from '../matching/load-farm.ts'
import { type JobForRules, listFreePrinters, type PrinterForRules } from '../matching/matching.queries.ts'
import { filamentMapFor, type SlotOfFilament, slotsOfPlate, takesMap } from '../matching/slot-map.ts'
import { reserveFilament } from '../materials/reserve-filament.ts'
import { judgePlate } from '../printers/plate/plate-judgement.ts'
import { createPlan, type Match } from './plan.ts'
import { type Reservation, reservePrinters } from './reservation.queries.ts'
import { listCandidates, listFileModels, waitForTurn } from './scheduler.queries.ts'

const actor = 'system'

/** Jobs that are read at once; farms with more free printers read as many jobs. */
const smallestPage = 250
const largestPage = 1_000

/** After so many pages the rest of the queue waits for the next round. */
const mostPages = 20

/** Pairs that one statement reserves. */
const mostReservations = 250

/** A start that is on record and was sent; what became of it. Never rejects. */
interface SentStart {
  printerId: PrinterId
  isOver: Promise<void>
}

/**
 * One round of an account: its free printers get the jobs that are first in the queue for them. Everything is reserved and
 * written in one transaction, then sent. Rounds of one account wait for one another, so that what is shared between
 * printers, such as their supply, is counted once.
 */
export async function startWaitingJobs(context: Context, accountId: AccountId): Promise<SentStart[]> {
  // Most events free nothing. While all printers of this process are busy that is known without a statement, else without a lock.
  if (!context.printers.hasIdle(accountId)) return []
  if ((await listReadyPrinters(context, context.db.sql, accountId)).length === 0) return []
  const commands = await context.db.begin(async (sql) => {
    await waitForTurn(sql, accountId)
    const printers = await listReadyPrinters(context, sql, accountId)
    if (printers.length === 0) return []
    const loaded = await loadFarm(context, sql, accountId)
    const matches = await matchJobs(sql, accountId, printers.map(loaded.printerFacts), loaded)
    return reserve(context, sql, accountId, matches, loaded.farm)
  })
  return commands.map(({ command, written }) => ({
    printerId: command.printerId,
    isOver: sendStart(context, accountId, command, written).catch((error: unknown) => {
      // It is on record, at the job too, and the printer is left alone for a while: that is the farm's weather.
      context.log.info({ err: error, printer_id: command.printerId, job_id: command.jobId }, 'a start did not begin')
    }),
  }))
}

/** Only the process that holds a hub's connection can send to it, and so only it plans for the hub's printers. */
async function listReadyPrinters(context: Context, sql: Sql, accountId: AccountId): Promise<PrinterForRules[]> {
  const rows = await listFreePrinters(sql, accountId)
  return rows.filter((row) => {
    const { live } = findOwnLive(context, accountId, row)
    const state = live?.isElsewhere ? undefined : live?.state
    // What the printer shows at this moment may not have reached the record of its plate yet.
    return state?.status === 'idle' && !judgePlate({ ...row, live_attempt_id: null }, state)
  })
}

/** Which jobs these printers would take, the first in the queue first. */
export async function matchJobs(
  sql: Sql,
  accountId: AccountId,
  printers: readonly PrinterFacts[],
  { farm, jobFacts }: LoadedFarm,
): Promise<Match[]> {
  const fileModels = (await listFileModels(sql, accountId)).filter((model) => isModelOfAny(model, printers, farm))
  const plan = createPlan(printers, farm)
  const limit = Math.min(largestPage, Math.max(smallestPage, printers.length))
  const matches: Match[] = []
  let after: JobForRules | undefined
  for (let page = 0; page < mostPages && plan.canTakeMore(); page += 1) {
    const jobs = await listCandidates(sql, accountId, {
      printerIds: printers.map(({ id }) => id),
      fileModels,
      filamentTypes: [...new Set(printers.flatMap(({ places }) => places.map(({ type }) => fold(type))))],
      limit,
      after,
    })
    matches.push(...plan.add(jobs.map(jobFacts)))
    after = jobs.at(-1)
    if (jobs.length < limit) break
  }
  return matches
}

function isModelOfAny(fileModel: string, printers: readonly PrinterFacts[], farm: FarmFacts): boolean {
  return printers.some(({ model }) => farm.isSameModel(model, fileModel))
}

type StartCommand = NewCommand<'print'> & { hubId: HubId; jobId: JobId; attemptId: AttemptId }

async function reserve(
  context: Context,
  sql: Sql,
  accountId: AccountId,
  matches: readonly Match[],
  farm: FarmFacts,
): Promise<{ command: StartCommand; written: WrittenCommand }[]> {
  const versionIds = [...new Set(matches.map(({ job }) => job.file_version_id))]
  const files = new Map(
    (matches.length === 0 ? [] : await listFilesOfJobs(sql, accountId, versionIds)).map((file) => [
      file.file_version_id,
      file,
    ]),
  )
  const slotsOf = new Map<AttemptId, readonly SlotOfFilament[] | null>()
  const reservations = matches.flatMap(({ job, printer }): Reservation[] => {
    const file = files.get(job.file_version_id)
    if (!file || printer.hub_id === null) return []
    const attemptId = newId('attempt')
    const { ejection, args } = requestEjection(context, printer.hub_id, printer, file)
    const { plate_run_mark: mark } = printer
    const filamentMap = takesMap(printer.connection_type, file.format) ? filamentMapFor(printer, job, farm) : undefined
    slotsOf.set(attemptId, slotsOfPlate(printer, job, farm, filamentMap))
    return [
      {
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
    ]
  })
  const at = context.clock.now()
  const deadline = new Date(at.getTime() + context.timeouts.startMs)
  const commands: { command: StartCommand; written: WrittenCommand }[] = []
  for (let from = 0; from < reservations.length; from += mostReservations) {
    const some = reservations.slice(from, from + mostReservations)
    const reserved = new Map(
      (await reservePrinters(sql, accountId, some, { actor, at, deadline })).map((row) => [row.attempt_id, row]),
    )
    const work = workIn(sql, { accountId, actor, now: at })
    const started = some.filter(({ attempt_id }) => reserved.has(attempt_id))
    await reserveFilament(
      work,
      started.map(({ attempt_id: attemptId, printer_id: printerId }) => ({
        attemptId,
        printerId,
        slots: slotsOf.get(attemptId) ?? null,
      })),
      farm,
    )
    const openJobs = some.filter(
      ({ attempt_id, option, plate_number }) => option !== null && plate_number === 1 && reserved.has(attempt_id),
    )
    if (openJobs.length > 0) {
      await writeOutputsOfOptions(
        sql,
        accountId,
        openJobs.map(({ job_id }) => job_id),
      )
    }
    for (const reservation of some) {
      const row = reserved.get(reservation.attempt_id)
      if (!row) continue
      commands.push({
        command: commandOf(reservation),
        written: { commandId: reservation.command_id, fence: row.fence, deadline },
      })
    }
    const chosen = some.filter(({ attempt_id }) => reserved.get(attempt_id)?.is_chosen)
    await work.recordAll(
      chosen.map(({ job_id, printer_id, attempt_id }) => ({
        type: 'job.assigned',
        subjectId: job_id,
        data: { printer_id, attempt_id, by: 'scheduler' },
      })),
    )
  }
  return commands
}

function commandOf(reservation: Reservation): StartCommand {
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
