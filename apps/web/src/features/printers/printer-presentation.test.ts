import { describe, expect, it } from 'vitest'
import { ApiError } from '../../lib/api-client.ts'
import type { Job, Printer, PrinterStatus } from '../../lib/api-types.ts'
import { countStatuses, presentPrinter } from './printer-presentation.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')

function buildPrinter(changes: Partial<Printer> = {}): Printer {
  return {
    id: 'prn_1',
    name: 'Left',
    model: 'MK4S',
    status: 'printing',
    location: null,
    nozzle_size: 0.4,
    current_color: null,
    current_color_hex: null,
    current_filament_type: null,
    is_active: true,
    ...changes,
  }
}

function buildLive(changes: Partial<PrinterStatus> = {}): PrinterStatus {
  return {
    printer_id: 'prn_1',
    hub_online: true,
    status: 'printing',
    progress: 41.7,
    nozzle_temp: 214.6,
    bed_temp: 60,
    chamber_temp: null,
    target_nozzle_temp: 215,
    target_bed_temp: 60,
    layer_num: 12,
    total_layers: 140,
    remaining_time_minutes: 95,
    current_job_id: 'job_1',
    last_telemetry_at: '2026-11-20T11:59:00.000Z',
    ...changes,
  }
}

// The presentation reads these three fields only.
const job = { id: 'job_1', product_name: null, file_name: 'bracket.gcode' } as Job

const show = (live: PrinterStatus, printer = buildPrinter()) =>
  presentPrinter(printer, now - 1000, { live, readAtMs: now }, [job], now)

describe('a printer on its card', () => {
  it('printing shows progress, time left, job and temperatures with units', () => {
    expect(show(buildLive())).toEqual({
      tone: 'working',
      word: 'Printing',
      note: undefined,
      jobName: 'bracket.gcode',
      progress: { percent: 41.7, text: '41%, 1h 35 min left' },
      facts: [
        { name: 'Nozzle', value: '215 / 215 °C' },
        { name: 'Bed', value: '60 / 60 °C' },
        { name: 'Layer', value: '12 of 140' },
      ],
    })
  })

  it('a job outside the queue shown is named by its id', () => {
    expect(show(buildLive({ current_job_id: 'job_9' })).jobName).toBe('job_9')
  })

  it('a printer whose hub is away is offline, says since when, and shows no old temperatures', () => {
    const away = buildLive({ hub_online: false, status: null, progress: null })
    expect(show(away)).toMatchObject({
      word: 'Offline',
      note: 'Its hub is not connected, last heard 60 sec. ago',
      progress: undefined,
      facts: [],
    })
  })

  it('a printer that its hub cannot reach says so', () => {
    const lost = buildLive({ status: 'offline', last_telemetry_at: null })
    expect(show(lost).note).toBe('Its hub cannot reach it, never heard')
  })

  it('progress outside 0 to 100 stays inside the bar', () => {
    expect(show(buildLive({ progress: 104 })).progress?.percent).toBe(100)
    expect(show(buildLive({ progress: -1 })).progress?.percent).toBe(0)
  })

  it('of list and live status the newer one counts', () => {
    const stale = { live: buildLive(), readAtMs: now - 20_000 }
    const shown = presentPrinter(buildPrinter({ status: 'idle' }), now, stale, [job], now)
    expect(shown).toMatchObject({ word: 'Idle', progress: undefined, jobName: undefined })
  })

  it('maintenance, which only the list knows, is not hidden by what the printer itself reports', () => {
    const shown = show(buildLive({ status: 'idle' }), buildPrinter({ status: 'maintenance' }))
    expect(shown.word).toBe('In maintenance')
  })

  it('a refused reading keeps the word of the list and tells code and request', () => {
    const problem = new ApiError('No such printer', { code: 'NOT_FOUND', status: 404, requestId: 'req-7' })
    const shown = presentPrinter(buildPrinter(), now - 1000, { problem, readAtMs: now }, [], now)
    expect(shown).toMatchObject({
      word: 'Printing',
      note: 'Live status: No such printer (NOT_FOUND, request req-7)',
    })
  })

  it('a status from a later version is shown as it is spelt', () => {
    expect(show(buildLive({ status: 'calibrating' }))).toMatchObject({ tone: 'unknown', word: 'calibrating' })
  })
})

describe('counts by status', () => {
  it('what needs a person comes first', () => {
    const statuses = ['idle', 'printing', 'error', 'idle', 'calibrating', 'offline']
    const counts = countStatuses(statuses.map((status) => buildPrinter({ status })))
    expect(counts.map(({ count, word }) => `${count} ${word}`)).toEqual([
      '1 Error',
      '1 Offline',
      '1 Printing',
      '2 Idle',
      '1 calibrating',
    ])
  })
})
