import { expect, test } from 'vitest'
import { Calm } from './calm-memory.ts'

test('a process is under load with two busy seconds in a row, and calm after five in which it had little to do', () => {
  const calm = new Calm()
  const none = undefined
  const looks: [utilization: number, change: boolean | undefined][] = [
    [0.9, none],
    [0.1, none],
    [0.41, none],
    [1, false],
    [0.1, none],
    [0.39, none],
    [0.9, none],
    ...Array.from({ length: 4 }, (): [number, undefined] => [0.1, none]),
    [0, true],
    [0.9, none],
    [0, none],
  ]
  expect(looks.map(([utilization]) => calm.look(utilization))).toEqual(looks.map(([, change]) => change))
})

test('one busy second in which the heap is collected again and again is a load; collections alone are none', () => {
  const calm = new Calm()
  expect(calm.look(0.1, 5)).toBeUndefined()
  expect(calm.look(0.5, 1)).toBeUndefined()
  expect(calm.look(0.3, 3)).toBeUndefined()
  expect(calm.look(0.5, 2)).toBe(false)
})
