import Type, { type Static } from 'typebox'
import { answer, idOf, nullable, oneOf, pageQuery, request, resource, text, timestamp } from '../../http/schema.ts'
import type { PrinterId } from '../../kernel/ids.ts'
import type { LivePrinter } from '../../live/printers.ts'
import { jobPriorities } from '../jobs/job-priority.ts'
import { jobStatuses } from '../jobs/job-state.ts'
import { liveProgress } from '../jobs/jobs.schema.ts'
import type { JobForRules } from '../matching/matching.queries.ts'
import { type RemedyKind, remedyKinds, ruleNames, rules } from '../matching/rules.ts'
import type { Shortage } from '../matching/spools.ts'
import type { Finish } from '../print-times/learnt-time.ts'
import { type JobExplanation, otherReasons, type PrinterVerdict, type Remedy } from './explain-job.ts'
import type { QueuedForPrinter } from './printer-queue.ts'
import type { ListedJob } from './waiting-jobs.queries.ts'
import type { Waiting } from './waiting-jobs.ts'

const ruleTexts = rules.map(({ name, asks }) => `\`${name}\`: ${asks}`).join(' ')
const ruleName = () => oneOf(ruleNames, { description: `A rule by which a job may start on a printer. ${ruleTexts}` })

const remedyTexts: Record<RemedyKind, string> = {
  moment: 'nothing, it passes by itself',
  auto_start: 'let the printer start jobs by itself',
  enter_equipment: 'enter the equipment of the printer',
  clear_plate: 'clear the plate',
  load_filament: 'load the filament, or enter that it is loaded',
  change_build_plate: 'change the build plate, or enter the one that is there',
  change_nozzle: 'change the nozzle, or enter the one that is there',
  wait: 'wait until the printer is free',
  look_at_printer: 'look at the printer, or at its hub',
  none: 'nothing: the job cannot be printed there',
}
const remedyKind = () =>
  oneOf(remedyKinds, {
    description: `Remedy; the values stand in the order of their effort, the least first. ${remedyKinds.map((kind) => `\`${kind}\`: ${remedyTexts[kind]}.`).join(' ')}`,
  })

export const remedy = () =>
  nullable(
    answer(
      {
        kind: remedyKind(),
        printer_id: Type.String({ description: 'ID of the printer where it helps' }),
        printer_name: Type.String({ description: 'Name of that printer' }),
      },
      {
        description:
          'Nearest remedy: the change that would let the job start soonest; null where nothing is in the way, or nothing can be done',
      },
    ),
  )

const place = {
  priority: oneOf(jobPriorities, { description: 'Decides first about the place in the queue' }),
  due_date: nullable(timestamp('Due date, which decides among jobs of one priority')),
  queue_position: Type.Number({ description: 'Decides among jobs of one priority and due date: smaller comes first' }),
}

const shortage = answer(
  {
    filament_type: Type.String({ description: 'The filament, such as PETG; empty when any will do' }),
    color: Type.String({ description: 'Its colour, by name or as #RRGGBB; empty when any will do' }),
    slot: nullable(
      Type.Integer({ description: 'The slot of the printer that holds most of it; null for its only place' }),
    ),
    needed_grams: Type.Number({ description: 'Grams of it for the next plate' }),
    available_grams: Type.Number({ description: 'Free filament there, in grams' }),
    missing_grams: Type.Number({ description: 'Shortage, in grams' }),
    spool: nullable(
      answer(
        {
          id: Type.String({ description: 'ID of the spool' }),
          location: Type.String({ description: 'Storage place; empty when unknown' }),
          printer_id: nullable(Type.String({ description: 'The printer that it is loaded on; null for none' })),
          available_grams: Type.Number({ description: 'Free filament on it, in grams' }),
        },
        { description: 'A spool of the farm that would do; null for none' },
      ),
    ),
  },
  { description: 'A filament that is short' },
)

const PrinterExplanation = answer(
  {
    printer_id: Type.String({ description: 'ID of the printer' }),
    printer_name: Type.String({ description: 'Name of the printer' }),
    can_start: Type.Boolean({ description: 'Whether all rules hold' }),
    earliest_start_at: nullable(
      timestamp(
        'Time at which every rule will hold if nothing else happens; null when a person must act or it cannot be told',
      ),
    ),
    rules: Type.Array(
      answer({
        rule: ruleName(),
        passes: Type.Boolean({ description: 'Whether the rule holds now' }),
        sentence: Type.String({ description: 'Sentence for people on how the rule holds or fails' }),
        passes_at: nullable(timestamp('Time at which it will hold, where that can be foreseen; null where it holds')),
        binds: nullable(
          oneOf(['anybody', 'scheduler'], {
            description:
              'Caller that may not start the job there: `anybody`, or only the service by itself; null where the rule holds',
          }),
        ),
        may_be_set_aside: Type.Boolean({
          description: 'Whether a person who starts the job by hand may set the rule aside',
        }),
        remedy: nullable(remedyKind()),
        shortages: Type.Array(shortage, {
          description: 'The filaments that are short, where that is the reason why the rule fails',
        }),
      }),
      { description: 'Every rule, in the order in which they are looked at' },
    ),
  },
  { description: 'Verdict of the rules on one printer' },
)

export const waitingReason = () =>
  oneOf([...ruleNames, ...otherReasons], {
    description:
      'Reason why it waits, at the printer nearest to starting it. `starts_now`: nothing; `not_queued`: it ' +
      `does not wait; \`no_printers\`: there are none. Else a rule. ${ruleTexts}`,
  })

export const JobExplanationAnswer = resource('JobExplanation', 'Reasons why a queued job waits', {
  job_id: Type.String({ description: 'ID of the job' }),
  status: oneOf(jobStatuses, { description: 'Status of the job; the other fields explain a queued one only' }),
  ...place,
  any_color: Type.Boolean({ description: 'Whether it may be printed in another colour than the named one' }),
  jobs_before: Type.Integer({ description: 'Queued jobs that come before it, for whatever printers' }),
  reason: waitingReason(),
  sentence: Type.String({ description: 'The reason, for people' }),
  remedy: remedy(),
  earliest_start_at: nullable(
    timestamp(
      'The earliest start that can be foreseen on any printer; null when a person must act or it cannot be told',
    ),
  ),
  printers_total: Type.Integer({ description: 'Printers of the account' }),
  printers_ready: Type.Integer({ description: 'Printers on which every rule holds' }),
  failing_rules: Type.Array(
    answer({
      rule: ruleName(),
      printers: Type.Integer({ description: 'Printers on which it does not hold' }),
    }),
    { description: 'The rules that fail, with the number of printers, over the whole farm' },
  ),
  printers: Type.Array(PrinterExplanation, {
    description: 'A page of the printers, the nearest to starting the job first',
  }),
})

type JobExplanationData = Static<typeof JobExplanationAnswer>

export const QueueEntry = resource('QueueEntry', 'A job that would print on a printer', {
  job_id: Type.String({ description: 'ID of the job' }),
  file_name: Type.String({ description: 'Name of the print file' }),
  ...place,
  any_color: Type.Boolean({ description: 'Whether it may be printed in another colour than the named one' }),
  is_assigned: Type.Boolean({ description: 'Whether it was given to this printer; if not, another may take it' }),
  plates_left: Type.Integer({ description: 'Plates still to print' }),
  estimated_minutes: nullable(Type.Integer({ description: 'Minutes for these plates, as the slicer estimates' })),
  estimated_start_at: nullable(
    timestamp('Time at which it would start if every plate were cleared at once; null when it cannot be told'),
  ),
  failing_rules: Type.Array(ruleName(), {
    description: 'Rules that fail, of a job that was given to this printer anyway',
  }),
})

const queueFilter = {
  search: Type.Optional(
    text(1, 120, 'Only jobs with this text in the name of their file, product, SKU or printer, or with this ID'),
  ),
  of_printer_id: Type.Optional(idOf('printer', 'Only jobs that this printer prints, or is meant to')),
  filament_type: Type.Optional(text(1, 50, 'Only jobs that want this filament')),
  priority: Type.Optional(oneOf(jobPriorities, { description: 'Only jobs of this priority' })),
}

export const QueueQuery = request({
  part: oneOf(['waiting', 'running'], {
    default: 'waiting',
    description: '`waiting`: queued jobs, the next one first; `running`: jobs that hold a printer, the oldest first',
  }),
  ...queueFilter,
  ...pageQuery,
})

export const QueueCountsQuery = request(queueFilter)

export const QueueCounts = resource('QueueCounts', 'Counts of jobs that are not over', {
  waiting: Type.Integer({ description: 'Queued jobs that match' }),
  running: Type.Integer({ description: 'Jobs that hold a printer and match' }),
  filament_types: Type.Array(Type.String({ description: 'A filament, such as PETG' }), {
    description: 'The filaments that jobs want which are not over, whether they match or not',
  }),
})

export const QueuedJob = resource('QueuedJob', 'A job that is not over, as the queue shows it', {
  id: Type.String({ description: 'ID of the job' }),
  status: oneOf(jobStatuses, { description: 'Status of the job' }),
  print_file_id: Type.String({ description: 'The file that it prints' }),
  file_name: Type.String({ description: 'Name of the print file' }),
  product_name: nullable(Type.String({ description: 'Name of the product when the job was queued' })),
  sku_name: nullable(Type.String({ description: 'Colour and filament of the SKU' })),
  printer_id: nullable(Type.String({ description: 'The printer that prints it, or is meant to' })),
  printer_name: nullable(Type.String({ description: 'Name of the printer' })),
  is_assigned: Type.Boolean({ description: 'Whether a person gave it to this printer; if not, the service chose' }),
  color: Type.String({ description: 'Colour wanted; empty when any will do' }),
  any_color: Type.Boolean({ description: 'Whether it may be printed in another colour than the named one' }),
  filament_type: Type.String({ description: 'Filament wanted, such as PETG' }),
  number_of_units: Type.Integer({ description: 'Units the job must yield' }),
  quantity_per_print: Type.Integer({ description: 'Units that one plate yields' }),
  plates_total: Type.Integer({ description: 'Plates of the job' }),
  plates_done: Type.Integer({ description: 'Plates that were printed well' }),
  progress_percentage: nullable(Type.Number({ description: '0 to 100 over all plates; null before the first start' })),
  estimated_print_time_minutes: nullable(Type.Number({ description: 'All plates together, as the slicer estimates' })),
  ...place,
  finish_p50_at: nullable(
    timestamp(
      'Expected end of its last plate, from the times of such prints, if each plate is cleared at once; null while none prints',
    ),
  ),
  finish_p90_at: nullable(
    timestamp('Time by which nine of ten such jobs are done; null also where nothing was learnt of them'),
  ),
  time_submitted: timestamp('Time at which it was queued'),
  time_started: nullable(timestamp('Time at which a printer was first seen printing it')),
  failure_reason: nullable(Type.String({ description: 'Reason why it was stopped, or did not start the last time' })),
  needs_look: Type.Boolean({
    description:
      'Whether the outcome of its plate is unknown, so that a person must look and answer by POST /jobs/{id}/resolve',
  }),
  cancel_requested: Type.Boolean({ description: 'Whether its cancellation waits for its hub to return' }),
  waiting: nullable(
    answer(
      {
        reason: oneOf([...ruleNames, ...otherReasons], { description: 'Reason, as in its explanation' }),
        sentence: Type.String({ description: 'The reason, for people' }),
        remedy: remedy(),
        earliest_start_at: nullable(
          timestamp('The earliest start that can be foreseen; null when a person must act or it cannot be told'),
        ),
      },
      { description: 'Reason why it waits; null while it holds a printer' },
    ),
  ),
})

const iso = (date: Date | null) => date?.toISOString() ?? null

const presentPlace = (job: JobForRules) => ({
  priority: job.priority,
  due_date: iso(job.due_date),
  queue_position: job.queue_position,
  any_color: job.any_color,
})

export function presentExplanation(explanation: JobExplanation, limit: number): Static<typeof JobExplanationAnswer> {
  const { job } = explanation
  return {
    job_id: job.id,
    status: job.status,
    ...presentPlace(job),
    jobs_before: explanation.jobsBefore,
    reason: explanation.reason,
    sentence: explanation.sentence,
    remedy: presentRemedy(explanation.remedy),
    earliest_start_at: iso(explanation.earliestStart),
    printers_total: explanation.printersTotal,
    printers_ready: explanation.printersReady,
    failing_rules: explanation.failing.map(({ name, printers }) => ({ rule: name, printers })),
    printers: explanation.verdicts.slice(0, limit).map(presentVerdict),
  }
}

function presentVerdict(verdict: PrinterVerdict): Static<typeof PrinterExplanation> {
  return {
    printer_id: verdict.printer.id,
    printer_name: verdict.printer.name,
    can_start: verdict.failures.length === 0,
    earliest_start_at: iso(verdict.earliestStart),
    rules: verdict.rules.map(({ rule, failure }) => ({
      rule: rule.name,
      passes: failure === undefined,
      sentence: failure?.sentence ?? rule.asks,
      passes_at: iso(failure?.passesAt ?? null),
      binds: failure?.binds ?? null,
      may_be_set_aside: rule.canBeSetAside ?? false,
      remedy: failure?.remedy ?? null,
      shortages: (failure?.shortages ?? []).map(presentShortage),
    })),
  }
}

function presentShortage({ need, place, missing_grams, spool }: Shortage): Static<typeof shortage> {
  return {
    filament_type: need.type,
    color: need.color,
    slot: place.slot,
    needed_grams: need.grams,
    available_grams: place.grams ?? 0,
    missing_grams,
    spool: spool
      ? {
          id: spool.id,
          location: spool.location,
          printer_id: spool.printer?.id ?? null,
          available_grams: spool.grams,
        }
      : null,
  }
}

export function presentRemedy(remedy: Remedy | null): JobExplanationData['remedy'] {
  return remedy && { kind: remedy.kind, printer_id: remedy.printer.id, printer_name: remedy.printer.name }
}

export function presentQueueEntry(printerId: PrinterId, entry: QueuedForPrinter): Static<typeof QueueEntry> {
  const { job } = entry
  return {
    job_id: job.id,
    file_name: job.file_name,
    ...presentPlace(job),
    is_assigned: job.assigned_printer_id === printerId,
    plates_left: entry.platesLeft,
    estimated_minutes: entry.minutes,
    estimated_start_at: iso(entry.estimatedStart),
    failing_rules: entry.failing,
  }
}

export function presentQueuedJob(
  job: ListedJob,
  waiting: Waiting | undefined,
  finish: Finish | null,
  live?: Pick<LivePrinter, 'state'>,
): Static<typeof QueuedJob> {
  return {
    id: job.id,
    status: job.status,
    print_file_id: job.print_file_id,
    file_name: job.file_name,
    product_name: job.product_name,
    sku_name: job.sku_name,
    printer_id: job.printer_id,
    printer_name: job.printer_name,
    is_assigned: job.assigned_printer_id !== null,
    color: job.color,
    filament_type: job.filament_type,
    number_of_units: job.number_of_units,
    quantity_per_print: job.quantity_per_print,
    plates_total: job.plates_total,
    plates_done: job.plates_done,
    progress_percentage: liveProgress(job, live) ?? job.progress_percentage,
    estimated_print_time_minutes: job.estimated_print_time_minutes,
    ...presentPlace(job),
    finish_p50_at: iso(finish?.p50_at ?? null),
    finish_p90_at: iso(finish?.p90_at ?? null),
    time_submitted: job.time_submitted.toISOString(),
    time_started: iso(job.time_started),
    failure_reason: job.failure_reason,
    needs_look: job.fate_unknown,
    cancel_requested: job.cancel_requested_at !== null,
    waiting: waiting
      ? {
          reason: waiting.reason,
          sentence: waiting.sentence,
          remedy: presentRemedy(waiting.remedy),
          earliest_start_at: iso(waiting.earliestStart),
        }
      : null,
  }
}
