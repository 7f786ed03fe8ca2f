import { expect, test } from 'vitest'
import { forAll } from './for-all.ts'

test('each thing is called for once, a few at a time, and those that failed are told in their order', async () => {
  const called: number[] = []
  let inFlight = 0
  let most = 0
  const failures = await forAll([1, 2, 3, 4, 5, 6, 7, 8, 9], async (number) => {
    called.push(number)
    inFlight += 1
    most = Math.max(most, inFlight)
    await new Promise((done) => setImmediate(done))
    inFlight -= 1
    if (number % 4 === 0) throw new Error(`not ${number}`)
  })
  expect(called).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(most).toBe(4)
  expect(failures).toEqual([
    { thing: 4, error: new Error('not 4') },
    { thing: 8, error: new Error('not 8') },
  ])
})
