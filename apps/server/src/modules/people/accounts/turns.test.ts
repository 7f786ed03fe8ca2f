import { expect, test } from 'vitest'
import { makeTurns } from './turns.ts'

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
  const begun: number[] = []
  const all = pieces.map((piece, index) =>
    inTurn(() => {
      begun.push(index)
      return piece.work()
    }),
  )
  await settle()
  expect(begun).toEqual([0, 1])
  pieces[1]?.end()
  await settle()
  expect(begun).toEqual([0, 1, 2])
  for (const piece of pieces) piece.end()
  await Promise.all(all)
  expect(begun).toEqual([0, 1, 2, 3])
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
