import Type, { type Static } from 'typebox'
import {
  answer,
  anyIdOf,
  idOf,
  nullable,
  oneOf,
  optionalRequest,
  pageQuery,
  postFailures,
  request,
  requiredUnless,
  resource,
  text,
  timestamp,
} from '../../http/schema.ts'
import type { AppError, ErrorCode } from '../../kernel/errors.ts'
import type { LivePrinter } from '../../live/printers.ts'
import { failureTypes } from '../failures/failure-type.ts'
import { settableAside } from '../matching/rules.ts'
import { jobPriorities } from './job-priority.ts'
import { type JobStatus, jobProgress, jobStatuses } from './job-state.ts'
import type { JobDetailRow, JobRow, JobStatsRow } from './jobs.queries.ts'
import { sightings } from './sightings.ts'

const listProperties = {
  id: Type.String({ description: 'ID of the job' }),
  status: nullable(oneOf(jobStatuses, { description: 'Status of the job' })),
  printer_id: nullable(Type.String({ description: 'The printer that prints it, or is meant to' })),
  product_id: nullable(Type.String({ description: 'The product it makes' })),
  product_sku_id: nullable(Type.String({ description: 'The SKU it makes' })),
  product_name: nullable(Type.String({ description: 'Name of the product when the job was queued' })),
  file_name: Type.String({ description: 'Name of the print file' }),
  number_of_units: Type.Number({ description: 'Units the job must yield' }),
  color: Type.String({ description: 'Colour wanted; empty when any will do' }),
  filament_type: Type.String({ description: 'Filament wanted, such as PETG' }),
  material_type: Type.String({ description: 'Material that the file is sliced for' }),
  progress_percentage: nullable(Type.Number({ description: '0 to 100 over all plates; null before the first start' })),
  estimated_print_time_minutes: nullable(Type.Number({ description: 'All plates together, as the slicer estimates' })),
  actual_print_time_minutes: nullable(Type.Number({ description: 'Time from first start to end' })),
  failure_reason: nullable(Type.String({ description: 'Reason why it failed, was stopped, or did not start' })),
  time_submitted: nullable(timestamp('Time at which it was queued')),
  time_started: nullable(timestamp('Time at which a printer was first seen printing it')),
  time_completed: nullable(timestamp('Time at which it ended, in whatever way')),
  created_at: nullable(timestamp('Time at which the record was created')),
  updated_at: nullable(timestamp('Time at which the record last changed')),
}

/** The list projection of a job. */
export const Job = resource('Job', 'A job as lists show it', listProperties)

/** The detail projection of a job. */
export const JobDetail = resource('JobDetail', 'A job with all that is known of it', {
  ...listProperties,
  filament_needed_grams: nullable(Type.Number({ description: 'Filament for all plates, in g' })),
  printer_name: nullable(Type.String({ description: 'Name of the printer' })),
  printer_model: nullable(Type.String({ description: 'Model of the printer' })),
  sku_name: nullable(Type.String({ description: 'Colour and filament of the SKU' })),
})

const Priority = oneOf(jobPriorities, { description: 'Decides first about its place in the queue; default: normal' })
const DueDate = Type.String({
  format: 'date-time',
  maxLength: 40,
  description: 'Due date: of jobs of one priority the earliest comes first, those without one last',
})
const AnyColor = Type.Boolean({
  description: 'Whether it may start in a colour other than the named one. Default: only when no colour is named',
})

/** What queues a job, and what tells of one that would be queued, refuse the same. */
export const enqueueFailures: ErrorCode[] = [
  ...postFailures,
  'FILE_NOT_FOUND',
  'PRINTER_NOT_FOUND',
  'PRODUCT_NOT_FOUND',
  'SKU_NOT_FOUND',
  'PRINTER_MODEL_MISMATCH',
  'FILE_NOT_SLICED',
  'NO_RECIPE',
  'QUOTA_EXCEEDED',
]

export const EnqueueBody = request(
  {
    print_file_id: Type.Optional(
      idOf(
        'printFile',
        'The print file; its current version is printed. It may be left out only with product_sku_id: then the recipes of the SKU decide, and the printer that takes the job chooses between them',
      ),
    ),
    printer_id: Type.Optional(anyIdOf('printer', 'Assigns a printer; without it the job waits unassigned')),
    product_id: Type.Optional(anyIdOf('product', 'The product that it makes')),
    product_sku_id: Type.Optional(anyIdOf('sku', 'The SKU that it makes; its units go into stock')),
    color: Type.Optional(text(0, 50, 'Colour wanted; default: of the SKU, then of the file')),
    filament_type: Type.Optional(text(0, 50, 'Filament wanted; default: of the SKU, then of the file')),
    material_type: Type.Optional(text(0, 50, 'Material; default: of the file, then PLA')),
    number_of_units: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 1,
      description: 'Units the job must yield',
    }),
    quantity_per_print: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 1,
      description: 'Units that one plate yields; counts only with print_file_id',
    }),
    requires_assembly: Type.Optional(
      Type.Boolean({ description: 'Units go to assembly first, not into ready stock; default: as the product says' }),
    ),
    priority: Type.Optional(Priority),
    due_date: Type.Optional(DueDate),
    any_color: Type.Optional(AnyColor),
    recipe_id: Type.Optional(
      idOf('recipe', 'Recipe to print by, one of those of the SKU; only with product_sku_id alone'),
    ),
  },
  { [requiredUnless]: { print_file_id: 'product_sku_id' } },
)

export const ChangeJobBody = request(
  {
    printer_id: Type.Optional(
      nullable(idOf('printer', 'The printer to print it; null leaves the choice to the service')),
    ),
    color: Type.Optional(text(0, 50, 'Colour wanted; empty when any will do')),
    filament_type: Type.Optional(text(0, 50, 'Filament wanted; empty when any will do')),
    material_type: Type.Optional(text(0, 50, 'Material')),
    priority: Type.Optional(Priority),
    due_date: Type.Optional(nullable(DueDate)),
    any_color: Type.Optional(AnyColor),
    position: Type.Optional(
      request(
        {
          before: Type.Optional(idOf('job', 'The queued job that it is to come just before')),
          after: Type.Optional(idOf('job', 'The queued job that it is to come just after')),
        },
        {
          minProperties: 1,
          maxProperties: 1,
          examples: [{ before: 'job_01kaxq3v7m2e8h5t9w4c6y0b1d' }],
          description:
            'Its place among the queued jobs of the same priority and due date: `before` or `after` one of them',
        },
      ),
    ),
  },
  { minProperties: 1 },
)
export type ChangeJobBody = Static<typeof ChangeJobBody>

export const AssignBody = request({
  printer_id: nullable(
    idOf('printer', 'The printer that is to print it; null takes the job from whatever printer it has'),
  ),
})

export const CompleteBody = optionalRequest({
  actual_print_time_minutes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      description: 'Print time in min; default: from its start to now',
    }),
  ),
})

export const StopBody = optionalRequest({
  seen_over: Type.Optional(
    Type.Boolean({
      description:
        'The words "I looked: it is over", of a person who stood at a printer that does not answer: the job is cancelled without it. Ignored while the printer can be seen',
    }),
  ),
  only_queued: Type.Optional(
    Type.Boolean({
      description:
        'Restricts `cancel` to a job that waits in the queue. One that a printer already works on is not stopped, and the answer is `JOB_STATE_CHANGED`',
    }),
  ),
  failure_type: Type.Optional(
    oneOf(failureTypes, {
      description: 'Type under which the failure of the stopped print is recorded; default: `cancelled_by_person`',
    }),
  ),
})

export const StartBody = optionalRequest({
  set_aside: Type.Optional(
    Type.Array(oneOf(settableAside, { description: 'A rule that a person may set aside' }), {
      maxItems: settableAside.length,
      description:
        'Rules of matching that a person sets aside for this plate, because the printer is otherwise than the service knows, or because it shall be so. Kept as the event `job.rules_set_aside`. Rules that hold are not touched',
    }),
  ),
})

export const ResolveBody = request({
  outcome: oneOf(sightings, {
    description:
      'Outcome that a person saw at the printer. `printed`: this plate is good; `failed`: it is not; `not_started`: nothing was started, the job is queued again',
  }),
  notes: Type.Optional(text(0, 400, 'Anything worth knowing; kept with the reason')),
  plate_is_clear: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether the plate is empty now, as with `clear_bed`. Otherwise it is occupied after `printed` and `failed` and unknown after `not_started`, and a task asks for it',
    }),
  ),
})

export const ProductBody = request({
  product_sku_id: nullable(idOf('sku', 'The SKU that it makes; null: it makes no product')),
})

const bulkExample = { print_file_id: 'fil_01kaxq3v7m2e8h5t9w4c6y0b1d', number_of_units: 2 }

export const BulkBody = request({
  jobs: Type.Array(Type.Unsafe<unknown>({ description: 'A job as POST /jobs takes it', examples: [bulkExample] }), {
    minItems: 1,
    maxItems: 100,
    description: 'The jobs to queue. Each is judged alone: a wrong one does not keep the others from being queued',
  }),
})

const bulkCount = (description: string) => Type.Integer({ minimum: 0, description })

export const BulkJobs = resource('BulkJobs', 'Result for each job of a batch', {
  queued: bulkCount('Jobs that were queued'),
  refused: bulkCount('Jobs that were not'),
  results: Type.Array(
    answer(
      {
        index: bulkCount('Place of the job in the request, from 0'),
        success: Type.Boolean({ description: 'Whether it was queued' }),
        job: Type.Optional(JobDetail),
        error: Type.Optional(
          answer(
            {
              code: Type.String({ description: 'Error code that POST /jobs would answer' }),
              message: Type.String({ description: 'Sentence for people; its wording may change' }),
              details: Type.Optional(
                Type.Unsafe<unknown>({
                  description: 'Details of the error, such as field → messages',
                  examples: [{ number_of_units: ['must be at least 1'] }],
                }),
              ),
            },
            { description: 'Error for which it was refused' },
          ),
        ),
      },
      { description: 'Result of one job of the request' },
    ),
    { description: 'Results in the order of the request' },
  ),
})

export const DeletedJob = resource('DeletedJob', 'The job that is gone', {
  id: Type.String({ description: 'ID of the job that was deleted' }),
  deleted: Type.Boolean({ description: 'Always true' }),
})

export const JobStats = resource('JobStats', 'Jobs, counted', {
  by_status: answer(
    Object.fromEntries(
      jobStatuses.map((status) => [
        status,
        bulkCount(
          ['completed', 'failed', 'cancelled'].includes(status) ? 'Ended so in this time' : 'Jobs in this state now',
        ),
      ]),
    ) as Record<JobStatus, Type.TInteger>,
    { description: 'Jobs by where they stand; ended ones by the time of their end' },
  ),
  success_rate: nullable(
    Type.Number({ description: 'Share of completed among completed and failed, 0 to 1; null when there are none' }),
  ),
  units_completed: bulkCount('Good units of the jobs that were completed in this time'),
  print_minutes: bulkCount('Time from first start to end, of all jobs that ended in this period'),
})

const bounds = {
  from: Type.Optional(
    Type.String({ format: 'date-time', maxLength: 40, description: 'Start of the period, inclusive' }),
  ),
  to: Type.Optional(Type.String({ format: 'date-time', maxLength: 40, description: 'End of the period, inclusive' })),
}

export const JobListQuery = request({
  status: Type.Optional(oneOf(jobStatuses, { description: 'Only jobs of this status' })),
  printer_id: Type.Optional(idOf('printer', 'Only jobs of this printer')),
  print_file_id: Type.Optional(idOf('printFile', 'Only jobs of this print file')),
  product_sku_id: Type.Optional(idOf('sku', 'Only jobs of this SKU')),
  is_late: Type.Optional(
    Type.Boolean({ description: 'Only jobs that are not over and should be, by their due date; or only all others' }),
  ),
  ...bounds,
  ...pageQuery,
})

export const HistoryQuery = request({
  status: Type.Optional(
    oneOf(jobStatuses, { description: 'Only jobs of this status; one of a job that is not over finds none here' }),
  ),
  printer_id: Type.Optional(idOf('printer', 'Only jobs of this printer')),
  print_file_id: Type.Optional(idOf('printFile', 'Only jobs of this print file')),
  product_sku_id: Type.Optional(idOf('sku', 'Only jobs of this SKU')),
  ended_as: Type.Optional(
    oneOf(['completed', 'failed', 'cancelled'], { description: 'An older name of status, for jobs that ended so' }),
  ),
  of_printer_id: Type.Optional(idOf('printer', 'An older name of printer_id')),
  of_file_id: Type.Optional(idOf('printFile', 'An older name of print_file_id')),
  ...bounds,
  ...pageQuery,
})

export const StatsQuery = request(bounds)

const iso = (date: Date | null) => date?.toISOString() ?? null

/** Presents a job as it leaves the service; while a plate runs, progress is what its printer says now. */
export function presentJob(job: JobRow, live?: Pick<LivePrinter, 'state'>): Static<typeof Job> {
  return {
    id: job.id,
    status: job.status,
    printer_id: job.printer_id,
    product_id: job.product_id,
    product_sku_id: job.product_sku_id,
    product_name: job.product_name,
    file_name: job.file_name,
    number_of_units: job.number_of_units,
    color: job.color,
    filament_type: job.filament_type,
    material_type: job.material_type,
    progress_percentage: liveProgress(job, live) ?? job.progress_percentage,
    estimated_print_time_minutes: job.estimated_print_time_minutes,
    actual_print_time_minutes: job.actual_print_time_minutes,
    failure_reason: job.failure_reason,
    time_submitted: iso(job.time_submitted),
    time_started: iso(job.time_started),
    time_completed: iso(job.time_completed),
    created_at: iso(job.created_at),
    updated_at: iso(job.updated_at),
  }
}

export function presentJobDetail(job: JobDetailRow, live?: Pick<LivePrinter, 'state'>): Static<typeof JobDetail> {
  return {
    ...presentJob(job, live),
    filament_needed_grams: job.filament_needed_grams,
    printer_name: job.printer_name,
    printer_model: job.printer_model,
    sku_name: job.sku_name,
  }
}

/** Outcome of one job of a batch: queued, or refused for a reason of its own. */
export type BulkResult = { job: JobDetailRow } | { error: AppError }

export function presentBulk(results: BulkResult[]): Static<typeof BulkJobs> {
  const queued = results.filter((result) => 'job' in result).length
  return {
    queued,
    refused: results.length - queued,
    results: results.map((result, index) =>
      'job' in result
        ? { index, success: true, job: presentJobDetail(result.job) }
        : {
            index,
            success: false,
            error: {
              code: result.error.code,
              message: result.error.message,
              ...(result.error.details !== undefined && { details: result.error.details }),
            },
          },
    ),
  }
}

export function presentStats(stats: JobStatsRow): Static<typeof JobStats> {
  const { units_completed, print_minutes, ...by_status } = stats
  const judged = stats.completed + stats.failed
  return {
    by_status,
    success_rate: judged === 0 ? null : Math.round((stats.completed / judged) * 10_000) / 10_000,
    units_completed,
    print_minutes,
  }
}

/** Over all plates, while the printer says how far the plate that it works on is. */
export function liveProgress(
  job: Pick<JobRow, 'live_attempt_id' | 'plates_done' | 'plates_total'>,
  live: Pick<LivePrinter, 'state'> | undefined,
): number | undefined {
  const run = live?.state.run
  if (!run?.attempt_id || run.attempt_id !== job.live_attempt_id || live?.state.progress == null) return undefined
  return jobProgress(job.plates_done, job.plates_total, live.state.progress)
}
