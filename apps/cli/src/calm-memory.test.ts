import { execFileSync } from 'node:child_process'
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
  expect(looks.map(([utilization]) => calm.look(utilization, 0))).toEqual(looks.map(([, change]) => change))
})

test('one busy second in which the heap is collected again and again is a load; collections alone are none', () => {
  const calm = new Calm()
  expect(calm.look(0.1, 5)).toBeUndefined()
  expect(calm.look(0.5, 1)).toBeUndefined()
  expect(calm.look(0.3, 3)).toBeUndefined()
  expect(calm.look(0.5, 2)).toBe(false)
})

test('a process that collects its heap again and again is told to stop saving before a second is over', () => {
  // Busy, with a collection each 100 ms; a moment's rest lets the process hear of them.
  const program = `
    const { saveMemoryWhenCalm } = await import(${JSON.stringify(new URL('calm-memory.ts', import.meta.url).href)})
    const told = []
    saveMemoryWhenCalm((saves) => told.push([saves, performance.now()]))
    const startedAt = performance.now()
    while (performance.now() - startedAt < 800) {
      const untilMs = performance.now() + 100
      while (performance.now() < untilMs);
      gc()
      await new Promise(setImmediate)
    }
    process.stdout.write(JSON.stringify(told.map(([saves, atMs]) => [saves, atMs - startedAt < 800])))`
  const flags = ['--expose-gc', '--input-type=module', '--eval', program]
  expect(JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8' }))).toEqual([
    [true, true],
    [false, true],
  ])
})
