import { expect, test } from 'vitest'
import { ClockWatch } from './clock-watch.ts'

const at = (minutes: number) => new Date(Date.UTC(2026, 5, 15, 12, minutes))

/** Whether each look found that the clock was set back, and the failures of what it called then. */
function startWatch() {
  const watch = new ClockWatch()
  return async (minutes: number, failure?: Error): Promise<boolean> => {
    let isBack = false
    await watch.look(at(minutes), async () => {
      isBack = true
      if (failure) throw failure
    })
    return isBack
  }
}

test('a clock may have been set back before the first look, and is seen to be afterwards, once', async () => {
  const look = startWatch()
  const found: boolean[] = []
  for (const minutes of [0, 1, 1, 180, 179.5, 2, 3, -60, -59]) found.push(await look(minutes))
  expect(found).toEqual([true, false, false, false, false, true, false, true, false])
})

test('what one clock says later than another by less than a minute is not set back, also not step by step', async () => {
  const look = startWatch()
  await look(10)
  for (const minutes of [9.6, 9.3, 10, 9.1]) expect(await look(minutes)).toBe(false)
  expect(await look(8.9)).toBe(true)
})

test('what failed when the clock was set back is done by the next look', async () => {
  const look = startWatch()
  await look(10)
  await expect(look(0, new Error('no database'))).rejects.toThrow('no database')
  expect([await look(1), await look(2)]).toEqual([true, false])
})
