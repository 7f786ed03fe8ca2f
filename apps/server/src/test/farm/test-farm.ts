import type { AttemptReport } from '@printyard/protocol/attempt'
import {
  type AccountId,
  type AttemptId,
  type HubId,
  type JobId,
  newId,
  type PrinterId,
  type PrintFileId,
} from '../../kernel/ids.ts'
import { createHubWithToken } from '../../modules/hubs/hubs.service.ts'
import { systemWork } from '../app/system-work.ts'
import type { TestAccount, TestApp } from '../app/test-app.ts'
import { connectTestHub, type TestHub } from './test-hub.ts'

/** An account with a hub on a real connection, one idle printer with a clear plate, and a sliced file. */
export interface TestFarm {
  account: TestAccount
  hubId: HubId
  token: string
  hub: TestHub
  printerId: PrinterId
  fileId: PrintFileId
  /** Queues a job for the printer and answers its ID. */
  queueJob(fields?: Record<string, unknown>): Promise<JobId>
  /** Starts a job and lets the printer confirm it; answers its attempt. */
  print(
    jobId: string,
    words?: { set_aside?: string[] },
  ): Promise<{ attempt_id: AttemptId; printer_id: PrinterId; fence: number }>
  job(jobId: string): Promise<Record<string, unknown>>
  /** Connects the hub again, with a journal of this length. */
  reconnect(journalPosition?: number, capabilities?: string[], openAttempts?: AttemptReport[]): Promise<TestHub>
}

/**
 * Builds a farm on a test application; the application listens on a free port of this machine from then on.
 * @param hubNow the clock of the hub; left out, that of this machine
 * @param farm the object to fill
 */
export async function createTestFarm(t: TestApp, hubNow?: () => Date, farm = {} as TestFarm): Promise<TestFarm> {
  if (!t.app.server.listening) await t.app.listen({ host: '127.0.0.1', port: 0 })
  const url = t.app.listeningOrigin
  const account = await t.account()
  const { id: hubId, token } = await createHubWithToken(systemWork(t.db.sql, account.id), 'Hub')
  const added = await account.request('POST', '/printers', {
    name: 'Printer',
    model: 'MK4S',
    hub_id: hubId,
    connection_type: 'virtual',
  })
  const printerId: PrinterId = added.json().data.id
  await account.request('POST', `/printers/${printerId}/control`, { action: 'clear_bed' })
  const connect = (position?: number, capabilities?: string[], open?: AttemptReport[]) =>
    connectTestHub(url, token, position, undefined, capabilities, open, {}, hubNow)
  const hub = await connect()
  const fileId = await insertSlicedFile(t, account.id)
  Object.assign(farm, {
    account,
    hubId,
    token,
    hub,
    printerId,
    fileId,
    async queueJob(fields = {}) {
      const answer = await account.request('POST', '/jobs', { print_file_id: fileId, printer_id: printerId, ...fields })
      if (answer.statusCode !== 201) throw new Error(answer.body)
      return answer.json().data.id
    },
    async print(jobId, words) {
      await showIdle(farm, t)
      const sent = farm.hub.commands().length
      const started = await account.request('POST', `/jobs/${jobId}/start`, words)
      if (started.statusCode !== 200) throw new Error(started.body)
      const command = farm.hub.commands()[sent]
      if (!command) throw new Error('no command was sent')
      const attempt = {
        attempt_id: String(command.args.attempt_id) as AttemptId,
        printer_id: printerId,
        fence: command.fence,
      }
      await farm.hub.report({ ...attempt, phase: 'confirmed' })
      farm.hub.telemetry(printerId, {
        status: 'printing',
        progress: 10,
        run: { file_name: 'clip.gcode', job_id: 'r1', attempt_id: attempt.attempt_id },
      })
      await t.settled(() => t.context.printers.find(printerId)?.state.status === 'printing')
      // The job follows what its printer shows; it must not do so after what the test does next.
      await t.written()
      return attempt
    },
    async job(jobId) {
      return (await account.request('GET', `/jobs/${jobId}`)).json().data
    },
    async reconnect(journalPosition, capabilities, openAttempts) {
      farm.hub = await connect(journalPosition, capabilities, openAttempts)
      return farm.hub
    },
  } satisfies TestFarm)
  await showIdle(farm, t)
  return farm
}

async function showIdle(farm: TestFarm, t: TestApp): Promise<void> {
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
}

async function insertSlicedFile(t: TestApp, accountId: AccountId): Promise<PrintFileId> {
  const id = newId('printFile')
  await t.db.sql`insert into print_files (account_id, id, name) values (${accountId}, ${id}, 'clip')`
  await t.db.sql`
    insert into print_file_versions ${t.db.sql({
      account_id: accountId,
      id: newId('fileVersion'),
      print_file_id: id,
      version_number: 1,
      is_current_version: true,
      original_name: 'clip.gcode',
      sha256: 'ab'.repeat(32),
      file_size_bytes: 1000,
      format: 'gcode',
      is_sliced: true,
      print_time_seconds: 601,
      filament_weight_grams: 12.345,
      filament_type: 'PETG',
      filament_color: '#112233',
      printer_model: 'MK4S',
      metadata: t.db.sql.json({}),
    })}`
  return id
}
