import { expect, test } from 'vitest'
import { farmForAllTests } from '../../test/app/app-hooks.ts'
import { createTestPerson } from '../../test/farm/test-person.ts'

const { t, farm } = farmForAllTests()

test('the day of a farm tells what each printer did since midnight, and how busy the week was', async () => {
  const person = await createTestPerson(t, farm.account, 'viewer')
  const { attempt_id } = await farm.print(await farm.queueJob())
  expect(attempt_id).toEqual(expect.any(String))
  const read = async () => (await person.request('GET', '/printers/day')).json().data
  await t.settled(async () => (await read()).printers[0]?.periods.at(-1)?.cause === 'printing')
  const day = await read()
  expect(day.printers).toEqual([{ printer_id: farm.printerId, periods: expect.any(Array) }])
  const { periods } = day.printers[0]
  expect(periods.at(-1)).toMatchObject({ cause: 'printing', job_name: 'clip', ended_at: day.now })
  for (const [index, period] of periods.entries()) {
    if (index > 0) expect(period.started_at).toBe(periods[index - 1].ended_at)
  }
  expect(day.from <= periods[0].started_at && day.now <= day.to).toBe(true)
  expect(day.week).toHaveLength(7)
  expect(day.week[0].busy_percent).toBeNull()
  expect(day.week.at(-1).busy_percent).toEqual(expect.any(Number))

  const stranger = await createTestPerson(t, await t.account(), 'owner')
  expect((await stranger.request('GET', '/printers/day')).json().data.printers).toEqual([])
})
