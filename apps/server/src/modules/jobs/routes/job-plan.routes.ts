import Type, { type Static } from 'typebox'
import type { Context } from '../../../context/context.ts'
import { answer, envelope, failures, idParams, nullable, ok, oneOf, resource, timestamp } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { notFound } from '../../../kernel/errors.ts'
import { mapActorNames } from '../../events/actor-names.queries.ts'
import { actorName } from '../../events/events.schema.ts'
import { listServedLines } from '../../planning/pegs/served-lines.queries.ts'
import { presentServed, ServedLines } from '../../planning/pegs/served-lines.schema.ts'
import { foreseeFinish, type LearntTime } from '../../print-times/learnt-time.ts'
import { loadPrintTimes } from '../../print-times/print-times.service.ts'
import { jobPriorities } from '../job-priority.ts'
import { listOptions, type OptionToShow } from '../outputs/job-options.queries.ts'
import { listNamedOutputs, type NamedOutput } from '../outputs/job-outputs.queries.ts'
import {
  findJobPlan,
  type JobEvent,
  type JobPlanRow,
  listJobEvents,
  listTries,
  type TriedPlate,
} from '../queue/job-plan.queries.ts'

const phases = ['reserved', 'transferring', 'starting', 'confirmed', 'finished'] as const
const outcomes = ['done', 'failed', 'cancelled', 'not_started', 'unknown'] as const

const JobPlan = resource('JobPlan', 'Ways, attempts and events of a job', {
  job_id: Type.String({ description: 'ID of the job' }),
  print_file_id: Type.String({ description: 'The file that it prints' }),
  file_version_number: Type.Integer({ description: 'The version of the file that it prints' }),
  file_deleted: Type.Boolean({ description: 'Whether the file is gone, so that it cannot be printed again' }),
  quantity_per_print: Type.Integer({ description: 'Units that one plate yields' }),
  plates_total: Type.Integer({ description: 'Plates of the job' }),
  plates_done: Type.Integer({ description: 'Plates that were printed well' }),
  units_rejected: Type.Integer({ description: 'Units of it that were found to be bad' }),
  recipe_id: nullable(
    Type.String({
      description: 'The recipe by which it is printed; null: it was made for a file, or the recipe is gone',
    }),
  ),
  outputs: Type.Array(
    answer({
      product_sku_id: Type.String({ description: 'The SKU' }),
      sku: Type.String({ description: 'Code of the SKU' }),
      product_name: Type.String({ description: 'Name of its product' }),
      is_main: Type.Boolean({ description: 'Whether it is what the job is for' }),
      units_per_plate: Type.Integer({ description: 'Units of it that one plate yields' }),
      units: Type.Integer({ description: 'Units of it that go into stock when the job is completed' }),
      units_credited: Type.Integer({ description: 'Units of it that went into stock' }),
      units_rejected: Type.Integer({ description: 'Units of it that were found to be bad' }),
      requires_assembly: Type.Boolean({ description: 'They go to assembly first, not into ready stock' }),
    }),
    { description: 'SKUs that it yields, its own first; empty when it makes no product' },
  ),
  options: Type.Array(
    answer({
      recipe_id: nullable(Type.String({ description: 'The recipe; null when it is gone' })),
      file_name: Type.String({ description: 'Name of the print file' }),
      printer_model: nullable(Type.String({ description: 'Model that the file is sliced for; null: any' })),
      units_per_plate: Type.Integer({ description: 'Units that one plate yields' }),
      plates_total: Type.Integer({ description: 'Plates of the job in this way' }),
      estimated_print_time_minutes: nullable(Type.Integer({ description: 'All plates together, in this way' })),
      is_taken: Type.Boolean({ description: 'Whether the job has the values of this one now' }),
    }),
    {
      description:
        'The ways in which it can be printed, the preferred one first. They are open until its first plate is done; none: it has just one',
    },
  ),
  for_orders: ServedLines,
  requires_assembly: Type.Boolean({ description: 'Units go to assembly first, not into ready stock' }),
  priority: oneOf(jobPriorities, { description: 'Decides first about its place in the queue' }),
  due_date: nullable(timestamp('Due date')),
  any_color: Type.Boolean({ description: 'Whether it may be printed in another colour than the named one' }),
  is_assigned: Type.Boolean({ description: 'Whether a person gave it to its printer; if not, the service chose' }),
  needs_look: Type.Boolean({
    description:
      'Whether the outcome of its plate is unknown, so that a person must look and answer by POST /jobs/{id}/resolve',
  }),
  cancel_requested: Type.Boolean({ description: 'Whether its cancellation waits for its hub to return' }),
  reprint_of: nullable(Type.String({ description: 'Job whose rejected units it reprints' })),
  created_by: Type.String({ description: 'Actor that queued it: key:…, user:…, system' }),
  created_by_name: actorName,
  print_time: nullable(
    answer(
      {
        factor: Type.Number({
          description: 'Actual over sliced time of earlier prints: their median; 1 where there are none',
        }),
        learnt_from: oneOf(['file', 'model', 'none'], {
          description:
            'Prints that the factor is from: of this file on this model of printer, of all files on it while those are fewer than three, or none',
        }),
        samples: Type.Integer({ description: 'Number of prints that it was learnt from' }),
        plate_p50_seconds: Type.Integer({
          description: 'Seconds that a plate takes: half of such prints take no longer',
        }),
        plate_p90_seconds: nullable(
          Type.Integer({
            description: 'Seconds that nine of ten such prints do not exceed; null where nothing was learnt',
          }),
        ),
        finish_p50_at: nullable(
          timestamp(
            'Expected end of the last plate, by the first of these, if each plate is cleared at once; null while none prints',
          ),
        ),
        finish_p90_at: nullable(timestamp('The same by the second; null also where nothing was learnt')),
      },
      {
        description: 'Print time learnt from such prints; null where its file gives no print time',
      },
    ),
  ),
  attempts: Type.Array(
    answer({
      id: Type.String({ description: 'ID of the try' }),
      plate_number: Type.Integer({ description: 'Number of the plate in the job, from 1' }),
      printer_id: Type.String({ description: 'The printer it was tried on' }),
      printer_name: nullable(Type.String({ description: 'Name of the printer' })),
      phase: oneOf(phases, { description: 'Phase of the attempt' }),
      outcome: nullable(
        oneOf(outcomes, { description: 'Outcome; `unknown`: a person must look; null while it continues' }),
      ),
      reason_code: nullable(Type.String({ description: 'Reason of the outcome, where there is one' })),
      actor: Type.String({ description: 'Actor that started it: key:…, user:…, system' }),
      actor_name: actorName,
      reserved_at: timestamp('Time at which it was started'),
      confirmed_at: nullable(timestamp('Time at which the printer was seen printing it')),
      finished_at: nullable(timestamp('Time at which it ended')),
      time_note: nullable(
        Type.String({
          description:
            'Reason why one of its times is that at which the service learned of it: the clock of its hub gave an impossible one',
          examples: [null],
        }),
      ),
      filament_map: nullable(
        Type.Array(
          answer({
            filament: Type.Integer({ description: 'Position among the filaments of the file, from 0' }),
            slot: nullable(
              Type.Integer({ description: 'The slot that it is printed from, as the printer numbers it' }),
            ),
          }),
          { description: 'Slots that the start named to the printer, by filament; null when it named none' },
        ),
      ),
      other_slot: nullable(
        Type.Integer({ description: 'A slot that it was seen to print from though the printer was told others' }),
      ),
      failure_id: nullable(
        Type.String({
          description: 'The failure on record, where it failed or was stopped',
          examples: ['flr_01kaxq3v7m2e8h5t9w4c6y0b1d'],
        }),
      ),
      camera_picture_at: nullable(
        timestamp(
          'Time of the picture that GET /analytics/failures/{id}/picture returns; null where no picture is kept',
        ),
      ),
    }),
    { description: 'Attempts to print a plate of it, the latest first, at most 50' },
  ),
  events: Type.Array(
    answer({
      id: Type.String({ description: 'ID of the event' }),
      type: Type.String({ description: 'Type of the event; more types may be added', examples: ['job.updated'] }),
      // What is in it depends on the type.
      data: Type.Unsafe<Record<string, unknown>>({
        description: 'Data of the event, by type; fields may be added',
        examples: [{ fields: ['priority'] }],
      }),
      actor: Type.String({ description: 'Actor: key:…, user:…, hub:…, system' }),
      actor_name: actorName,
      created_at: timestamp('Time at which it was recorded; `data.happened_at` is there when it had happened before'),
    }),
    { description: 'Events of the job, the latest first, at most 50' },
  ),
})

/** Routes for what the job itself does not tell: how it is divided into plates, what was tried, and what happened to it. */
export function jobPlanRoutes(app: App, context: Context): void {
  app.get(
    '/jobs/:id/plan',
    {
      config: { scope: 'read', tagged: true },
      schema: {
        tags: ['Jobs'],
        summary: 'Get the ways, attempts and events of a job',
        description:
          'Its plates, every attempt with printer and outcome, and its events with who caused them, the latest first.',
        params: idParams('job'),
        response: { 200: envelope(JobPlan), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params: { id } }) => {
      const { sql } = context.db
      const { accountId } = actor
      const [plan, outputs, options, served, tries, events] = await Promise.all([
        findJobPlan(sql, accountId, id),
        listNamedOutputs(sql, accountId, id),
        listOptions(sql, accountId, id),
        listServedLines(sql, accountId, id),
        listTries(sql, accountId, id),
        listJobEvents(sql, accountId, id),
      ])
      if (!plan) throw notFound('job')
      const labels = [plan.created_by, ...[...tries, ...events].map((each) => each.actor)]
      const place = { file_version_id: plan.file_version_id, model: plan.model ?? '' }
      const [names, timeOf] = await Promise.all([
        mapActorNames(sql, actor, labels),
        loadPrintTimes(sql, accountId, [place]),
      ])
      const printing = tries.find(({ phase }) => phase === 'confirmed')
      const printTime = presentPrintTime(timeOf(place), {
        startedAt: printing?.confirmed_at ?? null,
        platesLeft: plan.plates_total - plan.plates_done,
        now: context.clock.now(),
      })
      return ok(
        presentPlan({ ...plan, outputs, options, for_orders: presentServed(served) }, printTime, tries, events, names),
      )
    },
  )
}

const iso = (date: Date | null) => date?.toISOString() ?? null

function presentPrintTime(
  learnt: LearntTime | undefined,
  job: Parameters<typeof foreseeFinish>[1],
): Static<typeof JobPlan>['print_time'] {
  if (!learnt) return null
  const finish = foreseeFinish(learnt, job)
  return {
    factor: learnt.factor,
    learnt_from: learnt.learnt_from,
    samples: learnt.samples,
    plate_p50_seconds: learnt.p50_seconds,
    plate_p90_seconds: learnt.p90_seconds,
    finish_p50_at: iso(finish?.p50_at ?? null),
    finish_p90_at: iso(finish?.p90_at ?? null),
  }
}

function presentPlan(
  plan: JobPlanRow & { outputs: NamedOutput[]; options: OptionToShow[]; for_orders: Static<typeof ServedLines> },
  print_time: Static<typeof JobPlan>['print_time'],
  tries: TriedPlate[],
  events: JobEvent[],
  names: ReadonlyMap<string, string>,
): Static<typeof JobPlan> {
  const nameOf = (label: string) => names.get(label) ?? null
  const { id, due_date, auto_assigned, printer_id, cancel_requested_at, file_version_id, model, ...rest } = plan
  return {
    job_id: id,
    ...rest,
    created_by_name: nameOf(plan.created_by),
    print_time,
    due_date: iso(due_date),
    is_assigned: printer_id !== null && !auto_assigned,
    needs_look: tries.some(({ phase, outcome }) => phase !== 'finished' && outcome === 'unknown'),
    cancel_requested: cancel_requested_at !== null,
    attempts: tries.map((each) => ({
      ...each,
      actor_name: nameOf(each.actor),
      reserved_at: each.reserved_at.toISOString(),
      confirmed_at: iso(each.confirmed_at),
      finished_at: iso(each.finished_at),
      camera_picture_at: iso(each.camera_picture_at),
    })),
    events: events.map((event) => ({
      ...event,
      actor_name: nameOf(event.actor),
      // Written as an object by `recordEvent`.
      data: event.data as Record<string, unknown>,
      created_at: event.created_at.toISOString(),
    })),
  }
}
