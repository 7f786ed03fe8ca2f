import Type from 'typebox'
import { actTool, type Farm, idOf, type Tool } from './tool.ts'

const job = { job_id: idOf('job') }
const lookAtJob = ({ printyard, options }: Farm, { job_id: id }: { job_id: string }) => printyard.jobs.get(id, options)

const printFields = {
  product_sku_id: Type.Optional(idOf('SKU; its recipes say what is printed')),
  print_file_id: Type.Optional(idOf('print file, when no SKU is named or to choose one')),
  number_of_units: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Default: 1' })),
  color: Type.Optional(Type.String({ maxLength: 50 })),
  priority: Type.Optional(Type.Enum(['low', 'normal', 'high', 'urgent'])),
  due_date: Type.Optional(Type.String({ maxLength: 40, description: 'Such as 2026-12-01T12:00:00Z' })),
  printer_id: Type.Optional(idOf('printer that must print it')),
}

const orderChoice = {
  order_ids: Type.Array(idOf('order'), { minItems: 1, maxItems: 100, uniqueItems: true }),
}

export const actTools: readonly Tool[] = [
  actTool(
    {
      name: 'queue_print',
      title: 'Queue a print',
      description: 'Queues a SKU or a print file. The dry run tells when it would start and end.',
      scope: 'write',
      isDestructive: false,
      fields: printFields,
    },
    {
      preview: ({ printyard, options }, input) => printyard.jobs.preview(input, options),
      act: ({ printyard, options }, input) => printyard.jobs.enqueue(input, options),
    },
  ),
  actTool(
    {
      name: 'produce_orders',
      title: 'Plan and produce orders',
      description: 'Queues the units that the orders still need. The dry run is the plan: jobs, surplus and shortages.',
      scope: 'write',
      isDestructive: false,
      fields: orderChoice,
    },
    {
      preview: ({ printyard, options }, input) => printyard.production.produce({ ...input, dry_run: true }, options),
      act: ({ printyard, options }, input) => printyard.production.produce(input, options),
    },
  ),
  actTool(
    {
      name: 'retry_job',
      title: 'Retry a failed job',
      description: 'Queues a failed job again; plates that were printed well stay done.',
      scope: 'write',
      isDestructive: false,
      fields: job,
    },
    { preview: lookAtJob, act: ({ printyard, options }, { job_id: id }) => printyard.jobs.retry(id, options) },
  ),
  actTool(
    {
      name: 'pause_job',
      title: 'Pause a print',
      description: 'Pauses the printer of a printing job.',
      scope: 'control',
      isDestructive: false,
      fields: job,
    },
    { preview: lookAtJob, act: ({ printyard, options }, { job_id: id }) => printyard.jobs.pause(id, options) },
  ),
  actTool(
    {
      name: 'resume_job',
      title: 'Resume a print',
      description: 'Lets the printer of a paused job go on.',
      scope: 'control',
      isDestructive: false,
      fields: job,
    },
    { preview: lookAtJob, act: ({ printyard, options }, { job_id: id }) => printyard.jobs.resume(id, options) },
  ),
  actTool(
    {
      name: 'cancel_job',
      title: 'Cancel a job',
      description: 'Takes a job out of the queue, or stops its print: the units on the plate are lost.',
      scope: 'control',
      isDestructive: true,
      fields: {
        ...job,
        only_queued: Type.Optional(Type.Boolean({ description: 'Refuse when a printer works on it by then' })),
      },
    },
    {
      preview: lookAtJob,
      act: ({ printyard, options }, { job_id: id, ...body }) => printyard.jobs.cancel(id, body, options),
    },
  ),
  actTool(
    {
      name: 'clear_plate',
      title: 'Confirm that a plate is clear',
      description:
        'The next job may then start and moves the machine. Only after a person at the printer said that the plate is empty.',
      scope: 'control',
      isDestructive: true,
      fields: { printer_id: idOf('printer') },
    },
    {
      preview: ({ printyard, options }, { printer_id: id }) => printyard.printers.get(id, options),
      act: ({ printyard, options }, { printer_id: id }) =>
        printyard.printers.control(id, { action: 'clear_bed' }, options),
    },
  ),
]
