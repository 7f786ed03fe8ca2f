import { describe, expect, it } from 'vitest'
import type { Job } from '../../lib/api-types.ts'
import { presentJob } from './job-presentation.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')
const reader = { locale: 'en-GB', timeZone: 'UTC' }
const printerNames = new Map([['prn_1', 'Left']])

function buildJob(changes: Partial<Job> = {}): Job {
  return {
    id: 'job_1',
    status: 'queued',
    printer_id: null,
    product_name: null,
    file_name: 'bracket.gcode',
    number_of_units: 4,
    color: 'Black',
    filament_type: 'PETG',
    progress_percentage: null,
    estimated_print_time_minutes: 130,
    actual_print_time_minutes: null,
    failure_reason: null,
    time_submitted: '2026-11-20T09:00:00.000Z',
    time_started: null,
    time_completed: null,
    ...changes,
  }
}

const show = (job: Job) => presentJob(job, printerNames, now, reader)

describe('a job in a line', () => {
  it('a queued job for any printer says so, and how long it will take', () => {
    expect(show(buildJob())).toEqual({
      id: 'job_1',
      tone: 'resting',
      word: 'Queued',
      name: 'bracket.gcode',
      detail: '4 pieces · Black · PETG',
      printer: 'Any free printer',
      time: 'about 2h 10 min',
      moment: '09:00',
      reason: undefined,
      percent: undefined,
    })
  })

  it('a printing job shows its printer and how far it is', () => {
    const printing = buildJob({
      status: 'printing',
      printer_id: 'prn_1',
      progress_percentage: 62.9,
      time_started: '2026-11-20T10:15:00.000Z',
    })
    expect(show(printing)).toMatchObject({
      word: 'Printing',
      printer: 'Left',
      time: '62% done',
      percent: 62.9,
      moment: '10:15',
    })
  })

  it('a failed job tells why, how long it took and when it ended', () => {
    const failed = buildJob({
      status: 'failed',
      failure_reason: 'Filament ran out',
      actual_print_time_minutes: 12,
      time_completed: '2026-11-19T18:05:00.000Z',
    })
    expect(show(failed)).toMatchObject({
      tone: 'trouble',
      word: 'Failed',
      reason: 'Filament ran out',
      time: '12 min',
      moment: '19 Nov, 18:05',
    })
  })

  it('a job cancelled before it began had no printer and no duration', () => {
    const cancelled = buildJob({ status: 'cancelled', time_completed: '2026-11-20T11:00:00.000Z' })
    expect(show(cancelled)).toMatchObject({ printer: 'No printer', time: '–' })
  })

  it('a printer that is not listed is shown by its id', () => {
    expect(show(buildJob({ printer_id: 'prn_9' })).printer).toBe('prn_9')
  })

  it('one piece is not pieces, and what is not known is left out', () => {
    expect(show(buildJob({ number_of_units: 1, color: '', filament_type: '' })).detail).toBe('1 piece')
  })
})
