import type { Context } from '../../../context/context.ts'
import { isUniqueViolation } from '../../../db/database-errors.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { type AccountId, type HubId, type JobId, newId, type PrinterId } from '../../../kernel/ids.ts'
import { reservePrinter } from '../../attempts/attempts.queries.ts'
import { writeCommand } from '../../commands/commands.service.ts'
import { workOf } from '../../events/work.ts'
import { type FarmFacts, type JobFacts, type PrinterFacts, waysOf } from '../../matching/farm-facts.ts'
import { failuresFor } from '../../matching/judge.ts'
import { loadFarm } from '../../matching/load-farm.ts'
import { findJobForRules, listPrintersForRules } from '../../matching/matching.queries.ts'
import type { RuleName } from '../../matching/rules.ts'
import { filamentMapFor, slotsOfPlate, takesMap } from '../../matching/slot-map.ts'
import { reserveFilament } from '../../materials/reserve-filament.ts'
import { judgePlate } from '../../printers/plate/plate-judgement.ts'
import { type FileOfJob, findJobToStart, type JobDetailRow, type JobToStart, listFilesOfJobs } from '../jobs.queries.ts'
import { getJob, jobStateChanged, refuseUnlessPossible } from '../jobs.service.ts'
import { applyOption } from '../outputs/job-options.queries.ts'
import { refuseStart, unavailable } from './refuse-start.ts'
import { type EjectionRequest, requestEjection } from './request-ejection.ts'
import { fileToPrint, sendStart } from './send-start.ts'

/** What a person says who starts a job by hand. */
interface StartWords {
  /** Rules that the person sets aside for this plate, of those that may be. */
  setAside?: readonly RuleName[] | undefined
}

/** The ways in which a job can be on its way to a printer. */
interface PrinterTarget {
  printerId: PrinterId
  hubId: HubId
  ejection: EjectionRequest
  filamentMap: ReturnType<typeof filamentMapFor>
  slots: ReturnType<typeof slotsOfPlate>
  farm: FarmFacts
  /** Rules that fail and are set aside. */
  setAside: RuleName[]
  /** What is printed, and which of the ways of the job that is; null where it has no other. */
  file: FileOfJob
  option: number | null
}

/**
 * Sends the next plate of a queued job to its printer. The printer is reserved in one statement before anything is sent;
 * the answer comes when the hub has the command on its own record, and what becomes of it arrives as reports.
 */
export async function startJob(
  context: Context,
  actor: Actor,
  jobId: JobId,
  words: StartWords = {},
): Promise<JobDetailRow> {
  const { accountId } = actor
  const job = await findJobToStart(context.db.sql, accountId, jobId)
  if (!job) throw notFound('job')
  refuseUnlessPossible('start', job)
  const {
    ejection,
    filamentMap,
    slots,
    farm,
    setAside,
    file: printed,
    option,
    ...target
  } = await checkPrinter(context, accountId, jobId, job, words)

  const attemptId = newId('attempt')
  const file = fileToPrint(context, accountId, target.hubId, printed)
  const { command, written } = await context.db
    .beginFor(actor.accountId, async (sql) => {
      const work = workOf(context, actor, sql)
      const attempt = {
        id: attemptId,
        job_id: jobId,
        plate_number: job.plates_done + 1,
        printer_id: target.printerId,
        hub_id: target.hubId,
        file_version_id: printed.file_version_id,
        ejection: ejection.ejection,
        filament_map: filamentMap ?? null,
      }
      if (option !== null) await applyOption(work, jobId, option)
      const reserved = await reservePrinter(work, attempt)
      // Another request was faster: the job left the queue, or the printer its readiness.
      if (!reserved) throw jobStateChanged('start', 'no longer ready')
      // What the printer shows at this moment may not have reached the record of its plate yet.
      const live = context.printers.find(target.printerId)
      if (live && judgePlate(reserved, live.state)) throw unavailable('plate_not_clear')
      await reserveFilament(work, [{ attemptId, printerId: target.printerId, slots }], farm)
      const { fence, plate_run_mark: mark } = reserved
      if (setAside.length > 0) {
        await work.record({
          type: 'job.rules_set_aside',
          subjectId: jobId,
          data: { printer_id: target.printerId, attempt_id: attemptId, rules: setAside },
        })
      }
      const args = {
        attempt_id: attemptId,
        file,
        ...(mark !== null && { run_mark: mark }),
        ...(filamentMap && { filament_map: filamentMap }),
        ...ejection.args,
      }
      const command = { ...target, jobId, attemptId, kind: 'print' as const, args, actor: actor.label }
      // The command travels under the fence of its attempt, so that the hub can tell them apart by one number.
      const written = { ...(await writeCommand(context, sql, accountId, command, context.timeouts.startMs)), fence }
      return { command, written }
    })
    .catch((error: unknown) => {
      if (isUniqueViolation(error, 'attempts_live_printer_key')) throw unavailable('busy')
      if (isUniqueViolation(error, 'attempts_live_job_key')) throw jobStateChanged('start', 'processing')
      throw error
    })

  await sendStart(context, accountId, command, written)
  return getJob(context.db.sql, accountId, jobId)
}

/** Asks the rules that bind anybody. What is not known of the printer is left to the person who starts the job. */
async function checkPrinter(
  context: Context,
  accountId: AccountId,
  jobId: JobId,
  job: JobToStart,
  words: StartWords,
): Promise<PrinterTarget> {
  const { sql } = context.db
  if (!job.printer_id) throw new AppError('NO_PRINTER_ASSIGNED')
  const [[row], jobRow, { farm, printerFacts, jobFacts }] = await Promise.all([
    listPrintersForRules(sql, accountId, job.printer_id),
    findJobForRules(sql, accountId, jobId),
    loadFarm(context, sql, accountId, 'anybody', { withSpools: true }),
  ])
  if (!row) throw new AppError('NO_PRINTER_ASSIGNED')
  if (!row.hub_id) throw new AppError('NO_HUB_ASSIGNED')
  if (!jobRow) throw notFound('job')
  await context.hubs.waitForReturn(row.hub_id, row.id)
  const printer = printerFacts(row)
  const { way: facts, setAside } = chooseWay(printer, jobFacts(jobRow), farm, words.setAside)
  const isOther = facts.file_version_id !== job.file_version_id
  const file = isOther ? (await listFilesOfJobs(sql, accountId, [facts.file_version_id]))[0] : job
  if (!file) throw notFound('job')
  const filamentMap = takesMap(row.connection_type, file.format)
    ? filamentMapFor(printer, facts, farm, { takesNearest: setAside.length > 0 })
    : undefined
  return {
    printerId: row.id,
    hubId: row.hub_id,
    ejection: requestEjection(context, row.hub_id, row, file),
    filamentMap,
    slots: slotsOfPlate(printer, facts, farm, filamentMap),
    farm,
    setAside,
    file,
    option: jobRow.options === null || jobRow.options.length === 0 ? null : facts.option,
  }
}

/** The preferred way in which the printer takes the job; where there is none, the job's own says why. */
function chooseWay(
  printer: PrinterFacts,
  job: JobFacts,
  farm: FarmFacts,
  setAside: readonly RuleName[] = [],
): { way: JobFacts; setAside: RuleName[] } {
  const way = waysOf(job).find((each) => failuresFor('anybody', printer, each, farm).length === 0) ?? job
  return { way, setAside: refuseStart(printer, way, farm, setAside) }
}
