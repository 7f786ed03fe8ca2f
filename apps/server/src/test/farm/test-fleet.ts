import {
  type AccountId,
  type AttemptId,
  type JobId,
  newId,
  type PrinterId,
  type PrintFileId,
} from '../../kernel/ids.ts'
import type { TestApp } from '../app/test-app.ts'
import type { TestFarm } from './test-farm.ts'

/** Printers of a test farm that start by themselves, as a scripted hub tells of them. */
export interface TestFleet {
  /** Adds a printer with a clear plate and shows it idle. */
  addPrinter(name: string, fields?: Record<string, unknown>): Promise<PrinterId>
  showIdle(printerId: string): Promise<void>
  /** Changes a printer through the API. */
  change(printerId: string, fields: Record<string, unknown>): Promise<void>
  clearPlate(printerId: string): Promise<void>
  /** Queues a job that no printer is named for. */
  queue(fields?: Record<string, unknown>): Promise<JobId>
  /** The start of this job that the hub was sent, once it was. */
  startOf(jobId: string): Promise<{ printerId: string; attemptId: string; fence: number }>
  /** The jobs whose start the hub was sent, in that order. */
  startedJobs(): Promise<string[]>
  /** Lets a plate be seen printing and done, or failed; the printer is idle again, with the print on its plate. */
  finish(start: { printerId: string; attemptId: string; fence: number }, outcome?: 'done' | 'failed'): Promise<void>
}

export function fleetOf(t: TestApp, farm: TestFarm): TestFleet {
  const { account } = farm

  async function ask(method: 'POST' | 'PATCH', path: string, body: unknown) {
    const answer = await account.request(method, path, body)
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.body}`)
    return answer.json().data
  }

  async function showIdle(printerId: string): Promise<void> {
    farm.hub.telemetry(printerId, { status: 'idle' })
    await t.settled(() => t.context.printers.find(printerId as PrinterId)?.state.status === 'idle')
  }

  /** What the hub was told to print, in the order of the telling. */
  async function starts() {
    const printed = farm.hub.commands().filter(({ kind }) => kind === 'print')
    const attemptIds = printed.map(({ args }) => String(args.attempt_id))
    const rows = await t.db.sql<{ id: AttemptId; job_id: JobId }[]>`
      select id, job_id from attempts where account_id = ${account.id} and id = any(${attemptIds})`
    return printed.map(({ printer_id, fence, args }) => ({
      jobId: rows.find(({ id }) => id === args.attempt_id)?.job_id ?? '',
      printerId: printer_id,
      attemptId: String(args.attempt_id),
      fence,
    }))
  }

  return {
    showIdle,
    async addPrinter(name, fields = {}) {
      const { id } = await ask('POST', '/printers', {
        name,
        model: 'MK4S',
        hub_id: farm.hubId,
        connection_type: 'virtual',
        auto_start: true,
        current_filament_type: 'PETG',
        ...fields,
      })
      await farm.hub.waitFor('configure', ({ printers }) => printers.some((printer) => printer.printer_id === id))
      await showIdle(id)
      await ask('POST', `/printers/${id}/control`, { action: 'clear_bed' })
      return id
    },
    async change(printerId, fields) {
      await ask('PATCH', `/printers/${printerId}`, fields)
    },
    async clearPlate(printerId) {
      await ask('POST', `/printers/${printerId}/control`, { action: 'clear_bed' })
    },
    async queue(fields = {}) {
      return (await ask('POST', '/jobs', { print_file_id: farm.fileId, ...fields })).id
    },
    async startOf(jobId) {
      let start: Awaited<ReturnType<typeof starts>>[number] | undefined
      await t.settled(async () => {
        start = (await starts()).findLast((each) => each.jobId === jobId)
        return start !== undefined
      })
      if (!start) throw new Error(`${jobId} was not started`)
      return start
    },
    async startedJobs() {
      return (await starts()).map(({ jobId }) => jobId)
    },
    async finish({ printerId, attemptId, fence }, outcome = 'done') {
      const report = { attempt_id: attemptId, printer_id: printerId, fence }
      await farm.hub.report({ ...report, phase: 'confirmed' })
      await farm.hub.report({ ...report, phase: 'finished', outcome })
      await showIdle(printerId)
    },
  }
}

/** Another file with one version, as its slicer described it. */
export async function insertFile(
  t: TestApp,
  accountId: AccountId,
  facts: {
    printer_model?: string
    filament_type?: string
    nozzle_diameter?: number
    print_time_seconds?: number
    filament_weight_grams?: number
    object_count?: number
    is_sliced?: boolean
  } = {},
): Promise<PrintFileId> {
  const id = newId('printFile')
  await t.db.sql`insert into print_files (account_id, id, name) values (${accountId}, ${id}, 'other')`
  await t.db.sql`
    insert into print_file_versions ${t.db.sql({
      account_id: accountId,
      id: newId('fileVersion'),
      print_file_id: id,
      version_number: 1,
      is_current_version: true,
      original_name: 'other.gcode',
      sha256: 'cd'.repeat(32),
      file_size_bytes: 1000,
      format: 'gcode',
      is_sliced: true,
      metadata: t.db.sql.json({}),
      ...facts,
    })}`
  return id
}
