import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fromHub, type HubMessageBody } from '../live/hub-messages.ts'
import { TelemetryGate } from './telemetry-gate.ts'

type Report = HubMessageBody<'telemetry'>['printers'][number]

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const report = (printer_id: string, state: object, full = false): Report => fromHub({ printer_id, full, state })

function watched() {
  const applied: Report[][] = []
  const gate = new TelemetryGate({
    has: (printerId) => printerId.startsWith('prn_'),
    apply: (reports) => void applied.push(reports),
  })
  const flood = (count: number) => {
    for (let n = 0; n < count; n += 1) gate.take([report(`prn_${n % 10}`, { progress: n })])
  }
  return { gate, applied, flood }
}

test('what a large hub reports each second comes through at once, whatever it holds', () => {
  const { gate, applied } = watched()
  for (let second = 0; second < 60; second += 1) {
    gate.take(Array.from({ length: 500 }, (_, n) => report(`prn_${n}`, { progress: second })))
    vi.advanceTimersByTime(1_000)
  }
  expect(applied).toHaveLength(60)
})

test('of a flood only the newest report of each printer is taken, four times a second', () => {
  const { applied, flood } = watched()
  flood(4_000)
  expect(applied).toHaveLength(4_000)
  flood(100_000)
  expect(applied).toHaveLength(4_000)
  vi.advanceTimersByTime(250)
  expect(applied).toHaveLength(4_001)
  expect(applied[4_000]?.map(({ state }) => state.progress)).toEqual([
    99990, 99991, 99992, 99993, 99994, 99995, 99996, 99997, 99998, 99999,
  ])
  vi.advanceTimersByTime(60_000)
  expect(applied).toHaveLength(4_001)
})

test('fields that were not told again stay, unless the newer report is whole', () => {
  const { gate, applied, flood } = watched()
  flood(4_000)
  gate.take([report('prn_1', { nozzle_temp: 210, progress: 1 }), report('prn_2', { nozzle_temp: 50 })])
  gate.take([report('prn_1', { progress: 2 }), report('prn_2', { progress: 3 }, true), report('other', {})])
  gate.take([report('prn_2', { bed_temp: 60 })])
  vi.advanceTimersByTime(250)
  expect(applied.at(-1)).toEqual([
    report('prn_1', { nozzle_temp: 210, progress: 2 }),
    report('prn_2', { progress: 3, bed_temp: 60 }, true),
  ])
})

test('what is held when the connection ends is forgotten', () => {
  const { gate, applied, flood } = watched()
  flood(5_000)
  gate.close()
  vi.advanceTimersByTime(10_000)
  expect(applied).toHaveLength(4_000)
})
