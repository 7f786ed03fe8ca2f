import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { expect, test } from 'vitest'
import type { JobId, PrinterId } from '../../../kernel/ids.ts'
import { fromHub } from '../../../live/hub-messages.ts'
import type { PrinterRow } from '../printers.queries.ts'
import { type StatusParts, StatusTexts } from './printer-status.ts'

const row = (values: Partial<PrinterRow> = {}) =>
  ({ id: 'prn_1' as PrinterId, is_active: true, in_maintenance: false, current_color_hex: '', ...values }) as PrinterRow
const state = (progress: number) => ({ ...fromHub(unknownPrinterState('')), status: 'printing' as const, progress })

test('the text of a status is kept while all of its parts are the same, and written again once one is another', () => {
  const texts = new StatusTexts()
  let written = 0
  const write = (status: object) => {
    written += 1
    return JSON.stringify(status)
  }
  let parts: StatusParts = {
    printer: row(),
    hubOnline: true,
    state: state(10),
    jobId: 'job_1' as JobId,
    heardAt: new Date('2026-03-01T10:00:00Z'),
  }
  const first = texts.of(parts, write)
  expect(JSON.parse(first)).toMatchObject({ status: 'printing', progress: 10, current_job_id: 'job_1' })
  expect(texts.of({ ...parts }, write)).toBe(first)
  expect(written).toBe(1)

  const changes: [Partial<StatusParts>, object][] = [
    [{ state: state(11) }, { progress: 11 }],
    [{ heardAt: new Date('2026-03-01T10:00:01Z') }, { last_telemetry_at: '2026-03-01T10:00:01.000Z' }],
    [{ jobId: null }, { current_job_id: null }],
    [{ printer: row({ in_maintenance: true }) }, { status: 'maintenance' }],
    [
      { hubOnline: false, state: undefined },
      { hub_online: false, status: null, progress: null },
    ],
  ]
  for (const [change, expected] of changes) {
    parts = { ...parts, ...change }
    expect(JSON.parse(texts.of(parts, write))).toMatchObject(expected)
  }
  expect(written).toBe(1 + changes.length)
})
