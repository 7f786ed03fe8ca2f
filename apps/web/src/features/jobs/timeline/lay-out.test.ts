import { expect, test } from 'vitest'
import type { QueueTimeline, TimelineJob } from '../../../lib/api/api-schema.generated.ts'
import { layOut, ticksOf } from './lay-out.ts'

const nowMs = Date.parse('2026-11-23T08:00:00Z')
const at = (hours: number) => new Date(nowMs + hours * 3_600_000).toISOString()
const job = (id: string, printer_id: string | null, start: number | null, p50: number | null, more: object = {}) =>
  ({
    ...{ id, name: id, status: 'queued', printer_id, is_assigned: false, due_date: null, unknown_because: null },
    ...{ starts_at: start === null ? null : at(start), done_p50_at: p50 === null ? null : at(p50), done_p90_at: null },
    ...{ message: '', ...more },
  }) as TimelineJob
const printer = (id: string) => ({ id, name: id, model: 'MK4S', in_maintenance: false })
const timeline = (jobs: TimelineJob[], more: Partial<QueueTimeline> = {}): QueueTimeline => ({
  ...{ now: at(0), forecast_made_at: at(0), done_p50_at: null, done_p90_at: null, unknown_jobs: 0, has_more: false },
  ...{ working_hours: [], printers: [printer('prn_a'), printer('prn_b')], jobs, ...more },
})

test('a job is a bar from its start to its end, with what nine of ten may take longer and where it is due', () => {
  const { lanes, now, idle } = layOut(
    timeline([job('job_1', 'prn_a', 0, 5, { done_p90_at: at(7), due_date: at(4) }), job('job_2', 'prn_a', 5, 16)]),
    10,
  )
  // An hour of eleven is past.
  const share = (hours: number) => ((hours + 1) / 11) * 100
  expect(now).toBeCloseTo(share(0))
  expect(lanes).toEqual([expect.objectContaining({ id: 'prn_a', later: 0, freeMs: nowMs + 16 * 3_600_000 })])
  const [first, second] = lanes[0]?.bars ?? []
  expect(first?.offset).toBeCloseTo(share(0))
  expect(first?.width).toBeCloseTo(share(5) - share(0))
  expect(first?.tail).toBeCloseTo(share(7) - share(5))
  expect(first?.due).toBeCloseTo(share(4))
  expect([first?.isLate, second?.isLate]).toEqual([true, false])
  // It ends where the lane does.
  expect((second?.offset ?? 0) + (second?.width ?? 0)).toBeCloseTo(100)
  expect(idle.map(({ id }) => id)).toEqual(['prn_b'])
})

test('what begins later is counted, what has no forecast stands on no lane, and what goes on for an unknown time has no end', () => {
  const { lanes, unplanned } = layOut(
    timeline([
      job('job_1', 'prn_a', -3, null, { status: 'printing' }),
      job('job_2', 'prn_a', 11, 12),
      job('job_3', null, null, null, { unknown_because: 'no_printer' }),
      job('job_4', 'prn_gone', 1, 2),
    ]),
    10,
  )
  expect(lanes).toEqual([expect.objectContaining({ later: 1, freeMs: undefined })])
  expect(lanes[0]?.bars).toEqual([expect.objectContaining({ offset: 0, width: 100 })])
  expect(unplanned.map(({ id }) => id)).toEqual(['job_3', 'job_4'])
})

test('working hours are parts of a lane, those after its end are none', () => {
  const working_hours = [
    { from: at(0), to: at(2) },
    { from: at(24), to: at(32) },
  ]
  const { working } = layOut(timeline([], { working_hours }), 10)
  expect(working).toHaveLength(1)
  expect(working[0]?.width).toBeCloseTo((2 / 11) * 100)
})

test('ticks are whole hours of the clock of the zone', () => {
  const ticks = (hours: number, zone: string) =>
    ticksOf(nowMs, nowMs + hours * 3_600_000, zone).map((tick) => new Date(tick).toISOString().slice(8, 16))
  expect(ticks(12, 'UTC')).toEqual(['23T08:00', '23T10:00', '23T12:00', '23T14:00', '23T16:00', '23T18:00'])
  expect(ticks(24, 'Asia/Kolkata')[0]).toBe('23T10:30')
  expect(ticks(168, 'Europe/Berlin')[0]).toBe('23T23:00')
})
