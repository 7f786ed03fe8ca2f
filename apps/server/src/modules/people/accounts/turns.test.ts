import { expect, test } from 'vitest'
import { makeTurns, makeTurnsWithReserve } from './turns.ts'

/** A piece of work that lasts until it is told to end. */
function makeWork() {
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { work: () => ended, end }
}

/** Lets everything happen that waits for nothing but its turn. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('only so many run at once, and the others in the order in which they came', async () => {
  const inTurn = makeTurns({ atOnce: 2, mostWaiting: 10 })
  const pieces = Array.from({ length: 4 }, makeWork)
  const started: number[] = []
  const all = pieces.map((piece, index) =>
    inTurn(() => {
      started.push(index)
      return piece.work()
    }),
  )
  await settle()
  expect(started).toEqual([0, 1])
  pieces[1]?.end()
  await settle()
  expect(started).toEqual([0, 1, 2])
  for (const piece of pieces) piece.end()
  await Promise.all(all)
  expect(started).toEqual([0, 1, 2, 3])
})

test('who would be one too many is refused at once, and what fails frees its place', async () => {
  const inTurn = makeTurns({ atOnce: 1, mostWaiting: 1 })
  const first = makeWork()
  const running = inTurn(first.work)
  const waiting = inTurn(() => Promise.reject(new Error('broken')))
  await expect(inTurn(async () => 'third')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  first.end()
  await running
  await expect(waiting).rejects.toThrow('broken')
  expect(await inTurn(async () => 'fourth')).toBe('fourth')
})

test('strangers who fill all turns do not hold up who is named, and no name has two of those reserved', async () => {
  const inTurnOf = makeTurnsWithReserve({ atOnce: 1, mostWaiting: 1 }, { atOnce: 1, mostWaiting: 5 })
  const strangers = [makeWork(), makeWork()]
  const running = strangers.map(({ work }) => inTurnOf(undefined, work))
  await expect(inTurnOf(undefined, async () => 'a stranger more')).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  })
  expect(await inTurnOf('owner', async () => 'the owner')).toBe('the owner')

  const colleague = makeWork()
  const theirs = inTurnOf('colleague', colleague.work)
  await expect(inTurnOf('colleague', async () => 'again')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  const owner = inTurnOf('owner', async () => 'the owner')
  for (const { end } of [colleague, ...strangers]) end()
  expect(await owner).toBe('the owner')
  await Promise.all([theirs, ...running])
})
