import { expect, test } from 'vitest'
import { openDriver } from '../../../db/driver/open-driver.ts'
import { farmForAllTests } from '../../../test/app/app-hooks.ts'

const { t, farm } = farmForAllTests()

/**
 * Runs a request that loses its database connection at the moment when its answer is written down, as when the service is
 * killed there: what it did before that either has its answer, or is undone.
 */
async function cutAtItsAnswer(
  jobId: string,
  key: string,
  request: () => Promise<{ statusCode: number }>,
): Promise<number> {
  const other = openDriver(t.db.target, 'printyard test', { connections: 3 })
  try {
    let outcome: Promise<{ statusCode: number }> | undefined
    await other.begin(async (keyHolder) => {
      await other.begin(async (jobHolder) => {
        await jobHolder`select from jobs where id = ${jobId} for update`
        outcome = request()
        // The claim stands before the effect goes on; from then on no one can write to it.
        await t.settled(async () => {
          const claimed = await keyHolder`select from idempotency_keys where key = ${key} for update`
          return claimed.length === 1
        })
      })
      await t.settled(async () => {
        const cut = await other`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%idempotency_keys%'`
        return cut.length > 0
      })
    })
    return (await outcome)?.statusCode ?? 0
  } finally {
    await other.end()
  }
}

test.each(['complete', 'resolve'] as const)(
  '%s takes effect once although the service ends before it answers',
  async (action) => {
    const jobId = await farm.queueJob()
    let body: object | undefined
    if (action === 'resolve') {
      farm.hub.telemetry(farm.printerId, { status: 'idle' })
      await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
      await farm.account.request('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed' })
      expect((await farm.account.request('POST', `/jobs/${jobId}/start`)).statusCode).toBe(200)
      const command = farm.hub.commands().at(-1)
      await farm.hub.report({
        attempt_id: String(command?.args.attempt_id),
        printer_id: farm.printerId,
        fence: command?.fence ?? 0,
        phase: 'starting',
        outcome: 'unknown',
      })
      body = { outcome: 'printed' }
    }
    const key = `once-${action}`
    const say = () => farm.account.request('POST', `/jobs/${jobId}/${action}`, body, { 'idempotency-key': key })
    expect(await cutAtItsAnswer(jobId, key, say)).toBe(503)
    const again = await say()
    expect({ status: again.statusCode, data: again.json().data?.status }).toEqual({ status: 200, data: 'completed' })
    const third = await say()
    expect(third.headers['idempotent-replayed']).toBe('true')
    expect(third.body).toBe(again.body)
    const events = await t.db.sql`
    select id from events
    where account_id = ${farm.account.id} and type = 'job.completed' and subject_id = ${jobId}`
    expect(events).toHaveLength(1)
  },
)
