import { stat } from 'node:fs/promises'
import type { Printyard } from '@printyard/sdk/client'
import type { EnqueueJobRequest, JobDetail, ListJobsData } from '@printyard/sdk/generated/api.generated'
import { type Answer, note } from '../answer.ts'
import { CommandError } from '../command-error.ts'
import { type ConfirmedOptions, confirm } from './confirmation.ts'
import { type RemoteOptions, withServer } from './connection.ts'
import { uploadFile } from './files.ts'
import { type ListOptions, pageOf, readRows } from './listing.ts'
import { findPrinterId } from './printers.ts'
import { formatExplanation, formatJob, formatJobs } from './tables.ts'

type JobStatus = NonNullable<NonNullable<ListJobsData['query']>['status']>

export interface ListJobsOptions extends ListOptions {
  status?: JobStatus
  printer?: string
}

export interface PrintOptions extends RemoteOptions, ConfirmedOptions {
  units?: number
  printer?: string
  color?: string
  priority?: NonNullable<EnqueueJobRequest['priority']>
}

export async function listJobs(options: ListJobsOptions): Promise<Answer> {
  const jobs = await withServer(options, async (printyard) => {
    const printerId = options.printer === undefined ? undefined : await findPrinterId(printyard, options.printer)
    const filter = { ...(options.status && { status: options.status }), ...(printerId && { printer_id: printerId }) }
    return readRows(printyard.jobs.list({ ...pageOf(options), ...filter }), options)
  })
  return { document: jobs, text: formatJobs(jobs) }
}

export async function showJob(id: string, options: RemoteOptions): Promise<Answer> {
  const job = await withServer(options, (printyard) => printyard.jobs.get(id))
  return { document: job, text: formatJob(job) }
}

export async function explainJob(id: string, options: RemoteOptions): Promise<Answer> {
  const explanation = await withServer(options, (printyard) => printyard.jobs.explain(id))
  return { document: explanation, text: formatExplanation(explanation) }
}

/** Queues a file of the service, or one of this machine, which is uploaded first. */
export async function print(fileOrId: string, options: PrintOptions): Promise<Answer> {
  const isHere = await isFile(fileOrId)
  if (!isHere && !fileOrId.startsWith('fil_')) {
    throw new CommandError(`${fileOrId} is neither a file here nor the ID of one, which begins with fil_.`, 2)
  }
  await confirm(`Queue ${fileOrId}? A printer that starts by itself may print it at once.`, options)
  const job = await withServer(options, async (printyard) => {
    const printerId = options.printer === undefined ? undefined : await findPrinterId(printyard, options.printer)
    const fileId = isHere ? (await uploadFile(printyard, fileOrId)).id : fileOrId
    if (isHere) note(`Uploaded ${fileOrId} as ${fileId}.`)
    return printyard.jobs.enqueue({
      print_file_id: fileId,
      ...(options.units !== undefined && { number_of_units: options.units }),
      ...(printerId !== undefined && { printer_id: printerId }),
      ...(options.color !== undefined && { color: options.color }),
      ...(options.priority !== undefined && { priority: options.priority }),
    })
  })
  return { document: job, text: `Queued ${job.file_name} as ${job.id}.` }
}

interface JobCommand {
  question: string
  run: (printyard: Printyard, id: string) => PromiseLike<JobDetail>
}

/** Commands that move a job. */
const jobCommands = {
  cancel: { question: 'Cancel', run: (printyard, id) => printyard.jobs.cancel(id) },
  pause: { question: 'Pause', run: (printyard, id) => printyard.jobs.pause(id) },
  resume: { question: 'Resume', run: (printyard, id) => printyard.jobs.resume(id) },
  retry: { question: 'Queue once more', run: (printyard, id) => printyard.jobs.retry(id) },
} satisfies Record<string, JobCommand>

export async function commandJob(
  name: keyof typeof jobCommands,
  id: string,
  options: RemoteOptions & ConfirmedOptions,
): Promise<Answer> {
  const { question, run }: JobCommand = jobCommands[name]
  const job = await withServer(options, async (printyard) => {
    if (options.yes !== true) {
      const { file_name, status, printer_name } = await printyard.jobs.get(id)
      const where = printer_name === null ? '' : ` on ${printer_name}`
      await confirm(`${question} ${file_name} (${status}${where})?`, options)
    }
    return run(printyard, id)
  })
  return { document: job, text: formatJob(job) }
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw new CommandError(`${path} cannot be read: ${error.message}.`, 2, { cause: error })
  })
  return found?.isFile() ?? false
}
