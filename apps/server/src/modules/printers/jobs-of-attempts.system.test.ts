import { expect, test } from 'vitest'
import type { Sql } from '../../db/database.ts'
import { insertJobAndAttempt } from '../../test/farm/printer-history.ts'
import { printersForAllTests } from '../../test/farm/test-printers.ts'
import { JobsOfAttempts } from './jobs-of-attempts.ts'

const { t, farm, newHub, newPrinter } = printersForAllTests()

/** The same connections, with a count of what they were asked. */
function countAsks(): { sql: Sql; asks: () => number } {
  let asked = 0
  const sql = new Proxy(t.db.sql, {
    apply(target, self, args) {
      // A list of columns is no question.
      asked += Array.isArray(args[0]) && 'raw' in args[0] ? 1 : 0
      return Reflect.apply(target, self, args)
    },
  })
  return { sql, asks: () => asked }
}

async function startPrint() {
  const hubId = await newHub()
  const { id: printerId } = await newPrinter({ hub_id: hubId })
  return { printerId, ...(await insertJobAndAttempt(t.db.sql, farm.id, { printerId, hubId })) }
}

test('the job of an attempt is asked for once, for its own printer in its own account alone', async () => {
  const { printerId, jobId, attemptId } = await startPrint()
  const { id: otherPrinter } = await newPrinter()
  const stranger = await t.account()
  const { sql, asks } = countAsks()
  const jobs = new JobsOfAttempts(sql)

  expect(await jobs.find(farm.id, printerId, attemptId)).toBe(jobId)
  expect(jobs.find(farm.id, printerId, attemptId)).toBe(jobId)
  expect(asks()).toBe(1)
  expect(await jobs.find(stranger.id, printerId, attemptId)).toBeUndefined()
  expect(await jobs.find(farm.id, otherPrinter, attemptId)).toBeUndefined()
  // What is not there may come.
  expect(await jobs.find(farm.id, otherPrinter, attemptId)).toBeUndefined()
  expect(asks()).toBe(4)
})

test('no more jobs are kept than there is room for, and the oldest goes first', async () => {
  const { sql, asks } = countAsks()
  const jobs = new JobsOfAttempts(sql, 2)
  const asksFor = async ({ printerId, attemptId }: Awaited<ReturnType<typeof startPrint>>) => {
    const before = asks()
    await jobs.find(farm.id, printerId, attemptId)
    return asks() - before
  }
  const [first, second, third] = [await startPrint(), await startPrint(), await startPrint()]
  for (const print of [first, second, third]) expect(await asksFor(print)).toBe(1)
  expect(await asksFor(third)).toBe(0)
  expect(await asksFor(second)).toBe(0)
  expect(await asksFor(first)).toBe(1)
})
