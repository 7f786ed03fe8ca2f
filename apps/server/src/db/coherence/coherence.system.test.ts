import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/run/test-database.ts'
import { silentLog } from '../setup/database-log.ts'
import { Coherence } from './coherence.ts'
import { leaseMs, renewEveryMs } from './lease-clock.ts'
import { LeasedMemory } from './leased-memory.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.close())

/** A process that takes part, and the one session of the database on which it hears of changes. */
async function join(name: string) {
  const coherence = new Coherence(db.target, name)
  onTestFinished(() => coherence.close())
  coherence.join(silentLog)
  await expect.poll(() => coherence.isCurrent).toBe(true)
  const findSession = async () => {
    const [session] = await db.sql<{ pid: number }[]>`
      select pid from pg_stat_activity where application_name = ${`${name} notices`} and datname = ${db.name}`
    return session?.pid
  }
  return { coherence, findSession }
}

test('a proof that was long on its way gives no lease when it arrives', async () => {
  const { coherence, findSession } = await join('late')
  const pid = (await findSession()) ?? 0
  process.kill(pid, 'SIGSTOP')
  // Whatever was asked at the latest when the server stopped is over by then.
  await wait(leaseMs + renewEveryMs + 100)
  expect(coherence.isCurrent).toBe(false)
  process.kill(pid, 'SIGCONT')
  const seen = new Set<boolean>()
  // Its answer comes now; the next question is asked after this.
  for (const until = performance.now() + renewEveryMs - 200; performance.now() < until; await wait(5)) {
    seen.add(coherence.isCurrent)
  }
  expect([...seen]).toEqual([false])
  await expect.poll(() => coherence.isCurrent).toBe(true)
})

test('what was changed while no notices arrived is not in memory when they arrive again', async () => {
  const { coherence, findSession } = await join('cut')
  const memory = new LeasedMemory<string>(coherence, 10)
  await memory.read('key', async () => ({ value: 'before', ids: ['row'] }))
  expect(memory.get('key')).toBe('before')
  const { term } = coherence
  await db.sql`select pg_terminate_backend(${(await findSession()) ?? 0})`
  await expect.poll(() => coherence.isCurrent && coherence.term !== term).toBe(true)
  expect(memory.get('key')).toBeUndefined()
})
