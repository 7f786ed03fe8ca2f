import type { Context } from '../../../context/context.ts'
import type { Database, Sql } from '../../../db/database.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { notFound, validationError } from '../../../kernel/errors.ts'
import type { AccountId, JobId } from '../../../kernel/ids.ts'
import { workOf } from '../../events/work.ts'
import type { JobDetailRow } from '../jobs.queries.ts'
import type { ChangeJobBody } from '../jobs.schema.ts'
import { getJob, jobStateChanged } from '../jobs.service.ts'
import { updateOptions } from '../outputs/job-options.queries.ts'
import { fitToPrinter } from './fit-to-printer.ts'
import {
  findNeighbour,
  findPlace,
  type JobChange,
  type LockedJob,
  lockJobToChange,
  type QueuePlace,
  renumberQueue,
  updateQueuedJob,
} from './queue-place.queries.ts'

/** Changes a job that waits in the queue. What differs is recorded as one event. */
export async function changeJob(
  context: Context,
  actor: Actor,
  jobId: JobId,
  body: ChangeJobBody,
  begin: Database['begin'] = (work) => context.db.beginFor(actor.accountId, work),
): Promise<JobDetailRow> {
  const { accountId } = actor
  await begin(async (sql) => {
    const work = workOf(context, actor, sql)
    const job = await lockJobToChange(sql, accountId, jobId)
    if (!job) throw notFound('job')
    if (job.status !== 'queued') throw jobStateChanged('change', job.status)
    if (body.printer_id) await fitToPrinter(work, jobId, body.printer_id, job.file_model)
    const change = changesTo(job, body)
    if (body.position) {
      const place = { ...job, priority: change.priority ?? job.priority, due_date: dueAfter(job, change) }
      change.queue_position = await positionBeside(sql, accountId, place, body.position)
    }
    if (Object.keys(change).length === 0) return
    await updateQueuedJob(work, jobId, change)
    await updateOptions(work, jobId, wishesOf(change))
    await work.record({
      type: 'job.updated',
      subjectId: jobId,
      data: { fields: Object.keys(change).filter((field) => field !== 'auto_assigned') },
    })
  })
  return getJob(context.db.sql, accountId, jobId)
}

function changesTo(job: LockedJob, { position: _position, due_date, printer_id, ...fields }: ChangeJobBody): JobChange {
  // Who names a colour means it, and who names none takes any.
  const any_color = fields.any_color ?? (fields.color === undefined ? undefined : fields.color.trim() === '')
  const wanted = Object.entries({ ...fields, ...(any_color !== undefined && { any_color }) })
  const change: JobChange = Object.fromEntries(
    wanted.filter(([name, value]) => job[name as keyof typeof fields] !== value),
  )
  const due = due_date == null ? due_date : new Date(due_date)
  if (due !== undefined && due?.getTime() !== job.due_date?.getTime()) change.due_date = due
  if (printer_id !== undefined && (printer_id !== job.printer_id || job.auto_assigned)) {
    change.printer_id = printer_id
    change.auto_assigned = false
  }
  return change
}

/** The changes that hold for whichever way the job takes. */
function wishesOf({ color, any_color, filament_type, material_type }: JobChange) {
  return {
    ...(color !== undefined && { color }),
    ...(any_color !== undefined && { any_color }),
    ...(filament_type !== undefined && { filament_type }),
    ...(material_type !== undefined && { material_type }),
  }
}

const dueAfter = (job: LockedJob, change: JobChange) => (change.due_date === undefined ? job.due_date : change.due_date)

/**
 * The position just before or after another queued job: half-way to the next one there. Between two that lie too close
 * for a number in between, the queue is numbered again first.
 */
async function positionBeside(
  sql: Sql,
  accountId: AccountId,
  job: QueuePlace,
  position: NonNullable<ChangeJobBody['position']>,
): Promise<number> {
  const side = position.before === undefined ? 'after' : 'before'
  const anchorId = position[side]
  const refuse = (why: string) => validationError({ [`position.${side}`]: [why] })
  if (anchorId === job.id) throw refuse('must be another job')
  for (const mayRenumber of [true, false]) {
    const anchor = anchorId && (await findPlace(sql, accountId, anchorId))
    if (!anchor) throw refuse('names no queued job')
    if (anchor.priority !== job.priority || anchor.due_date?.getTime() !== job.due_date?.getTime()) {
      throw refuse('has another priority or due date, which decide before the position: change these too')
    }
    const neighbour = await findNeighbour(sql, accountId, anchor, job.id, side)
    const beyond = neighbour ?? anchor.queue_position + (side === 'before' ? -1 : 1)
    const between = (anchor.queue_position + beyond) / 2
    if (between !== anchor.queue_position && between !== beyond) return between
    if (mayRenumber) await renumberQueue(sql, accountId)
  }
  throw new Error('a renumbered queue has no room between two jobs')
}
