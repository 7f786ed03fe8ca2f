import { type JobId, newId } from '../../kernel/ids.ts'
import type { TestApp } from '../app/test-app.ts'
import type { TestFarm } from './test-farm.ts'

/** Prints of a file that were done a day ago, one in each of these times. Of no file: of that of the farm. */
export async function addPrintsOf(
  t: TestApp,
  farm: TestFarm,
  fileId: string | undefined,
  times: readonly number[],
  evidence: 'telemetry' | 'person' = 'telemetry',
): Promise<void> {
  for (const seconds of times) {
    const jobId = await farm.queueJob(fileId === undefined ? {} : { print_file_id: fileId })
    const [job] = await t.db.sql<{ file_version_id: string }[]>`
      update jobs set status = 'completed', plates_done = plates_total
      where account_id = ${farm.account.id} and id = ${jobId as JobId} returning file_version_id`
    const ended = new Date(Date.now() - 86_400_000)
    await t.db.sql`
      insert into attempts ${t.db.sql({
        account_id: farm.account.id,
        id: newId('attempt'),
        job_id: jobId,
        plate_number: 1,
        printer_id: farm.printerId,
        hub_id: farm.hubId,
        file_version_id: job?.file_version_id ?? '',
        fence: 1_000_000 + Math.floor(Math.random() * 1_000_000_000),
        phase: 'finished',
        outcome: 'done',
        actor: 'system',
        evidence: t.db.sql.json({ kind: evidence, run_id: null, detail: null }),
        confirmed_at: new Date(ended.getTime() - seconds * 1_000),
        finished_at: ended,
      } as never)}`
  }
}
