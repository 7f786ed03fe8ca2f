import { expect, test } from 'vitest'
import { Memory } from './memory.ts'

const makeCounter = ({ from }: { from: number }) => ({ count: from })
const makeNames = (_context: object) => new Set<string>()

test('a thing is made once for each service, and not shared with another one', () => {
  const memory = new Memory()
  const counter = memory.hold(makeCounter, { from: 5 })
  counter.count += 1
  expect(memory.hold(makeCounter, { from: 9 })).toEqual({ count: 6 })
  expect(memory.hold(makeNames, {})).toBe(memory.hold(makeNames, {}))
  expect(new Memory().hold(makeCounter, { from: 9 })).toEqual({ count: 9 })
})
