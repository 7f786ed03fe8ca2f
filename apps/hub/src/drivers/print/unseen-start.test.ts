import type { PrinterState } from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { expect, test } from 'vitest'
import { createUnseenStart } from './unseen-start.ts'

const named = (file_name: string) => ({ file_name, job_id: null, attempt_id: null })
const idle: PrinterState = { ...unknownPrinterState(''), status: 'idle' }
const ended = (file_name: string): PrinterState => ({
  ...idle,
  last_result: { run: named(file_name), result: 'completed', reason: null },
})
const running = (file_name: string): PrinterState => ({ ...idle, status: 'printing', run: named(file_name) })

test('the end of the last job beside the name of a file that was just started is not its end', () => {
  const start = createUnseenStart(60_000)
  expect(start.withoutStaleResult(ended('vase.gcode')).last_result?.result).toBe('completed')
  start.expect('cube.gcode')
  expect(start.withoutStaleResult(ended('vase.gcode')).last_result?.run.file_name).toBe('vase.gcode')
  expect(start.withoutStaleResult(ended('cube.gcode')).last_result).toBeNull()
  expect(start.withoutStaleResult(running('vase.gcode')).run).not.toBeNull()
  expect(start.withoutStaleResult(ended('cube.gcode')).last_result).toBeNull()
})

test('a run that was seen has an end', () => {
  const start = createUnseenStart(60_000)
  start.expect('cube.gcode')
  start.withoutStaleResult(running('cube.gcode'))
  expect(start.withoutStaleResult(ended('cube.gcode')).last_result?.result).toBe('completed')
})

test('a result that stands for long enough is believed without its run', () => {
  const start = createUnseenStart(-1)
  start.expect('cube.gcode')
  expect(start.withoutStaleResult(ended('cube.gcode')).last_result?.result).toBe('completed')
})
