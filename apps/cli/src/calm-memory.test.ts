import { expect, test } from 'vitest'
import { Calm } from './calm-memory.ts'

test('a process is calm after five seconds in which it had little to do, and no longer with the first busy one', () => {
  const calm = new Calm()
  const looks = [0.1, 0.1, 0.1, 0.9, 0, 0.39, 0.1, 0.1, 0.1, 0.1, 0.41, 0.1, 1]
  const none = undefined
  expect(looks.map((utilization) => calm.look(utilization))).toEqual([
    ...[none, none, none, none, none, none, none, none, true, none, false, none, none],
  ])
})
