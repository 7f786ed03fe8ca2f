import { describe, expect, test } from 'vitest'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { DriverError } from '../driver.ts'
import { emptyPicture, mergeMessage, pictureOfNewConnection } from './octoprint-picture.ts'
import { octoPrintState } from './octoprint-state.ts'
import { endOnRecord, mergeRecord, readRunRecord } from './run-record.ts'

const date = 1760000000
const last = (success: boolean) => ({ date: date + 120.5, success })
const state = (text: string, more: object = {}) => ({ text, flags: { operational: true, ...more } })
const job = { file: { path: 'clip.gcode', date } }
const printing = { current: { state: state('Printing', { printing: true }), job, progress: { completion: 40 } } }
const idle = { current: { state: state('Operational'), job, progress: { completion: 100 } } }

describe('the record of a file', () => {
  test.each([
    ['printed once to its end', { success: 1, failure: 0, last: last(true) }, 'completed'],
    ['failed or cancelled', { success: 0, failure: 1, last: last(false) }, 'failed'],
    ['never printed', undefined, undefined],
    ['printed twice with different ends', { success: 1, failure: 1, last: last(true) }, undefined],
    ['printed before it was replaced', { success: 1, failure: 0, last: { date: date - 5, success: true } }, undefined],
    ['nonsense', { success: 'many', failure: null, last: 7 }, undefined],
  ])('that was %s tells the end %j', (_, prints, result) => {
    expect(endOnRecord({ date, prints })?.result).toBe(result)
  })

  test('is asked for again while OctoPrint writes it', async () => {
    const answers = [{ date }, { date, prints: { success: 1, failure: 0, last: last(true) } }]
    const readFile = async () => answers.shift()
    const record = await readRunRecord(
      { readFile },
      { path: 'clip.gcode', waitFactor: 0, signal: AbortSignal.timeout(5_000) },
    )
    expect(record).toEqual({ end: { result: 'completed', reason: null }, date })
  })

  test('that may not be read is told apart from one that could not be', async () => {
    const options = { path: 'clip.gcode', waitFactor: 0, signal: AbortSignal.timeout(5_000) }
    const refuse = () => Promise.reject(new ConnectionProblemError('commands_refused'))
    expect(await readRunRecord({ readFile: refuse }, options)).toBe('unreadable')
    const fail = () => Promise.reject(new DriverError('NO_ANSWER', 'gone'))
    await expect(readRunRecord({ readFile: fail }, options)).rejects.toThrow('gone')
  })
})

describe('a run that ended out of sight', () => {
  const lost = mergeMessage(pictureOfNewConnection(mergeMessage(emptyPicture(), printing)), idle)
  const completed = { end: { result: 'completed', reason: null }, date } as const

  test('has the end that is on record, under its identity', () => {
    expect(octoPrintState(mergeRecord(lost, 'clip.gcode', completed)).last_result).toEqual({
      run: { file_name: 'clip.gcode', job_id: String(date), attempt_id: null },
      result: 'completed',
      reason: null,
    })
  })

  test('is unknown without a record, unless only the progress can be read', () => {
    const nothing = mergeRecord(lost, 'clip.gcode', { end: null, date })
    expect(octoPrintState(nothing).last_result).toBeNull()
    expect(octoPrintState(mergeRecord(lost, 'clip.gcode', 'unreadable')).last_result).toMatchObject({
      result: 'completed',
    })
    const neverSeen = mergeMessage(emptyPicture(), idle)
    expect(octoPrintState(mergeRecord(neverSeen, 'clip.gcode', 'unreadable')).last_result).toBeNull()
  })

  test('is left to what the socket told meanwhile', () => {
    const again = mergeMessage(lost, printing)
    expect(mergeRecord(again, 'clip.gcode', completed).run?.end).toBeNull()
    const other = mergeMessage(lost, { event: { type: 'PrintStarted', payload: { path: 'vase.gcode' } } })
    expect(mergeRecord(other, 'clip.gcode', completed).run?.path).toBe('vase.gcode')
  })
})
