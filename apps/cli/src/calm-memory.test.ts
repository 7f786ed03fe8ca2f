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
