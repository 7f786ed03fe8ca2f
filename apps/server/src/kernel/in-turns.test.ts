import { expect, test } from 'vitest'
import { inTurns } from './in-turns.ts'

test('gives all items in their order, and others a turn between two parts', async () => {
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const parts: number[][] = []
  const turnsBefore: number[] = []
  for await (const part of inTurns([1, 2, 3, 4, 5], 2)) {
    parts.push(part)
    turnsBefore.push(turns)
  }
  isOver = true
  expect(parts).toEqual([[1, 2], [3, 4], [5]])
  expect(turnsBefore).toEqual([0, 1, 2])
})

test('of nothing there is no part', async () => {
  expect((await inTurns([]).next()).done).toBe(true)
})
