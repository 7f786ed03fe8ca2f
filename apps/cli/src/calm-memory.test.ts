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
  // Busy, with collections each 100 ms that count as those of V8 itself; a moment's rest lets the process hear of them.
  const program = `
    const { saveMemoryWhenCalm } = await import(${JSON.stringify(new URL('calm-memory.ts', import.meta.url).href)})
    const told = []
    saveMemoryWhenCalm((saves) => told.push([saves, performance.now()]))
    const startedAt = performance.now()
    while (performance.now() - startedAt < 800) {
      const untilMs = performance.now() + 100
      while (performance.now() < untilMs);
      gc({ type: 'major', flavor: 'last-resort' })
      await new Promise(setImmediate)
    }
    process.stdout.write(JSON.stringify(told.map(([saves, atMs]) => [saves, atMs - startedAt < 800])))`
  const flags = ['--expose-gc', '--input-type=module', '--eval', program]
  expect(JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8' }))).toEqual([
    [true, true],
    [false, true],
  ])
})

test('a process that begins to save looks through all of its heap once, and does not take that for a load', () => {
  // Busy for most of a second, in which it is asked to collect once more: two collections would be a load.
  const program = `
    const { constants, PerformanceObserver } = await import('node:perf_hooks')
    const { runInNewContext } = await import('node:vm')
    const { saveMemoryWhenCalm } = await import(${JSON.stringify(new URL('calm-memory.ts', import.meta.url).href)})
    const isFull = ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
    let collections = 0
    new PerformanceObserver((list) => (collections += list.getEntries().filter(isFull).length)).observe({ entryTypes: ['gc'] })
    const told = []
    saveMemoryWhenCalm((saves) => told.push(saves))
    await new Promise((resolve) => setTimeout(resolve, 50))
    const collectionsAtOnce = collections
    const untilMs = performance.now() + 600
    while (performance.now() < untilMs);
    gc()
    await new Promise((resolve) => setTimeout(resolve, 600))
    process.stdout.write(JSON.stringify({ collectionsAtOnce, told, others: runInNewContext('typeof gc') }))`
  const flags = ['--expose-gc', '--input-type=module', '--eval', program]
  expect(JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8' }))).toEqual({
    collectionsAtOnce: 1,
    told: [true],
    others: 'undefined',
  })
})
