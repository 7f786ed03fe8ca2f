import { withinBounds } from '@printyard/protocol/number-bounds'
import { PrinterState } from '@printyard/protocol/printer-state'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { plainKeys } from './hex-keys.ts'
import { namesToAskFor, newestTask } from './sdcp-history.ts'
import {
  emptySdcpPicture,
  faultToAcknowledge,
  lacksEnd,
  mergeSdcpMessage,
  type SdcpPicture,
  sdcpState,
} from './sdcp-state.ts'

const info = {
  Status: 13,
  CurrentLayer: 57,
  TotalLayer: 120,
  CurrentTicks: 900,
  TotalTicks: 2401,
  Progress: 42,
  Filename: '/local/clip.gcode',
  TaskId: 'e4d1',
  ErrorNumber: 0,
}
const printing = {
  CurrentStatus: [1],
  PrintInfo: info,
  TempOfNozzle: 214.71,
  TempTargetNozzle: 215,
  TempOfHotbed: 59.98,
  TempTargetHotbed: 60,
  TempOfBox: 38.24,
  TempTargetBox: 0,
  LightStatus: { SecondLight: true, RgbLight: [0, 0, 0] },
}
const take = (...messages: unknown[]) => messages.reduce<SdcpPicture>(mergeSdcpMessage, emptySdcpPicture)
const stateOf = (status: object = {}, print: object = {}) =>
  sdcpState(take({ Status: { ...printing, PrintInfo: { ...info, ...print }, ...status } }))

test('a running job is shown, its ticks as seconds', () => {
  const state = sdcpState(take({ Attributes: { FirmwareVersion: 'V1.1.29' } }, { Status: printing }))
  expect(state).toEqual({
    status: 'printing',
    status_reason: null,
    run: { file_name: 'clip.gcode', job_id: 'e4d1', attempt_id: null },
    last_result: null,
    progress: 42,
    nozzle_temp: 214.7,
    bed_temp: 60,
    chamber_temp: 38.2,
    target_nozzle_temp: 215,
    target_bed_temp: 60,
    target_chamber_temp: 0,
    layer_num: 57,
    total_layers: 120,
    remaining_time_minutes: 26,
    light_on: true,
    filament_type: null,
    filament_color_hex: null,
    firmware_version: 'V1.1.29',
    problems: [],
    slots: null,
    transfer: null,
    run_mark: null,
  })
})

describe('CurrentStatus', () => {
  test.each([
    ['0 is idle', [0], 'idle'],
    ['1 prints', [1], 'printing'],
    ['2 before 1 still prints', [2, 1], 'printing'],
    ['2 before 0 is idle', [2, 0], 'idle'],
    ['2 alone keeps the machine from nothing', [2], 'idle'],
    ['2 before 5 is busy', [2, 5], 'maintenance'],
    ['4 is busy', [4], 'maintenance'],
    ['11 is busy', [11], 'maintenance'],
    ['77 is not idle', [77], 'maintenance'],
    ['as a bare number', 1, 'printing'],
    ['as text', ['1'], 'printing'],
    ['as nothing at all is not idle', [], 'maintenance'],
  ])('%s', (_name, CurrentStatus, status) => {
    expect(stateOf({ CurrentStatus }).status).toBe(status)
  })

  test.each([
    [5, 'printing'],
    [6, 'paused'],
    [7, 'printing'],
    [12, 'printing'],
  ])('with a print in %s is %s', (Status, status) => {
    expect(stateOf({}, { Status })).toMatchObject({ status, run: { job_id: 'e4d1' } })
  })

  test.each([8, 9, 14])('1 with %s left over from the last job prints', (Status) => {
    expect(stateOf({}, { Status })).toMatchObject({ status: 'printing', last_result: null })
  })
})

describe('the end of a job', () => {
  test.each([
    [9, 'completed'],
    [8, 'cancelled'],
    [14, 'failed'],
  ])('%s stays as the last result', (Status, result) => {
    const state = stateOf({ CurrentStatus: [0] }, { Status })
    expect(state).toMatchObject({ status: 'idle', run: null, last_result: { result, run: { job_id: 'e4d1' } } })
  })

  test.each([
    [9, 'completed'],
    [8, 'cancelled'],
    [14, 'failed'],
  ])('%s is that of the run that was seen, although its name has gone with it', (Status, result) => {
    const ended = { CurrentStatus: [0], PrintInfo: { ...info, Status, Filename: '', TaskId: '' } }
    const state = sdcpState(take({ Status: printing }, { Status: ended }))
    expect(state).toMatchObject({ status: 'idle', last_result: { result, run: { job_id: 'e4d1' } } })
  })

  test("beside the name of another job is no one's", () => {
    const other = { CurrentStatus: [0], PrintInfo: { ...info, Status: 9, Filename: 'vase.gcode', TaskId: 'f5' } }
    const picture = take({ Status: printing }, { Status: other })
    expect(sdcpState(picture).last_result).toBeNull()
    expect(lacksEnd(picture)).toBe(true)
  })

  test('unseen is read from the record of the printer, and only of the job that ran', () => {
    const gone = { CurrentStatus: [0], PrintInfo: { ...info, Status: 0, Filename: '', TaskId: '' } }
    const over = take({ Status: printing }, { Status: gone })
    expect(lacksEnd(over)).toBe(true)
    const task = { TaskId: 'e4d1', TaskName: '/local/clip.gcode', BeginTime: 5, TaskStatus: 1 }
    const read = (...HistoryDetailList: object[]) => ({
      ...over,
      history: { kind: 'read' as const, newest: newestTask({ HistoryDetailList }) },
    })
    expect(sdcpState(read(task)).last_result).toMatchObject({ result: 'completed', run: { job_id: 'e4d1' } })
    expect(sdcpState(read(task, { ...task, BeginTime: 6, TaskId: 'f5' })).last_result).toBeNull()
    expect(sdcpState(read({ ...task, TaskStatus: 0 })).last_result).toBeNull()
    expect(sdcpState({ ...read(task), seen: null }).last_result?.result).toBe('completed')
  })

  test('by an error that a person has acknowledged leaves the printer free for the next', () => {
    const broken = take({
      Status: { ...printing, CurrentStatus: [0], PrintInfo: { ...info, Status: 14, ErrorNumber: 3 } },
    })
    expect(sdcpState(broken).status).toBe('error')
    const acknowledged = { ...broken, acknowledged: faultToAcknowledge(broken) }
    expect(sdcpState(acknowledged).status).toBe('idle')
    const other = mergeSdcpMessage(acknowledged, { Status: { PrintInfo: { ...info, Status: 14, ErrorNumber: 4 } } })
    expect(sdcpState(other).status).toBe('error')
  })

  test('with an error number needs a person', () => {
    expect(stateOf({ CurrentStatus: [0] }, { Status: 14, ErrorNumber: 3 })).toMatchObject({
      status: 'error',
      status_reason: 'the printer reports error 3',
      last_result: { result: 'failed' },
    })
  })
})

describe('the mark', () => {
  const history = (TaskId: string) => ({
    kind: 'read' as const,
    newest: newestTask({ HistoryDetailList: [{ TaskId, TaskName: 'vase.gcode', BeginTime: 5, TaskStatus: 1 }] }),
  })
  const idle = { CurrentStatus: [0], PrintInfo: { ...info, Status: 0, Filename: '', TaskId: '' } }

  test('is unknown before the record was read, and the newest job of it afterwards', () => {
    const picture = take({ Status: idle })
    expect(sdcpState(picture).run_mark).toBeNull()
    expect(sdcpState({ ...picture, history: history('a1') }).run_mark).toBe('task a1')
    expect(sdcpState({ ...picture, history: { kind: 'read', newest: null } }).run_mark).toBe('no task')
    expect(sdcpState({ ...picture, history: { kind: 'unavailable' } })).not.toHaveProperty('run_mark')
  })

  test('is that of the present job, does not change when it ends, and is the same over the next connection', () => {
    const known = { ...emptySdcpPicture, history: history('a1') }
    const during = mergeSdcpMessage(known, { Status: printing })
    expect(sdcpState(during).run_mark).toBe('task e4d1')
    expect(sdcpState(mergeSdcpMessage(during, { Status: idle })).run_mark).toBe('task e4d1')
    expect(sdcpState({ ...take({ Status: idle }), history: history('e4d1') }).run_mark).toBe('task e4d1')
  })
})

describe('the record of jobs', () => {
  test('is asked for its first and its last name, because nothing promises an order', () => {
    expect(namesToAskFor({ HistoryData: ['c', 'b', 'a'] })).toEqual(['c', 'a'])
    expect(namesToAskFor({ HistoryData: ['c'] })).toEqual(['c'])
    expect(namesToAskFor({ HistoryData: [] })).toEqual([])
    expect(namesToAskFor({ HistoryData: 'c' })).toEqual([])
  })

  test('that makes no sense names nothing', () => {
    for (const answer of [null, {}, { HistoryDetailList: [null, 5, {}] }, { HistoryDetailList: {} }]) {
      expect(newestTask(answer)).toBeNull()
    }
  })
})

test('a report without PrintInfo keeps what was known of the print', () => {
  expect(sdcpState(take({ Status: printing }, { Status: { TempOfNozzle: 200 } }))).toMatchObject({
    status: 'printing',
    nozzle_temp: 200,
  })
})

describe('keys in hex', () => {
  test('are read, with and without blanks and the zero at their end', () => {
    expect(plainKeys({ '54 65 6D 70 4F 66 42 6F 78 00': 38, '54656d704f66426f7831': { '466f6f626172': 1 } })).toEqual({
      TempOfBox: 38,
      TempOfBox1: { Foobar: 1 },
    })
  })

  test('count after readable ones of the same name', () => {
    expect(plainKeys({ TempOfBox: 38, '54 65 6D 70 4F 66 42 6F 78 00': 1 })).toEqual({ TempOfBox: 38 })
  })

  test.each(['DEADBEEF', '00000000', 'Face', '12345678', 'CurrentStatus'])('%s is none', (key) => {
    expect(plainKeys({ [key]: 1 })).toEqual({ [key]: 1 })
  })

  test('that lie absurdly deep cost nothing', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`)
    expect(plainKeys({ Status: deep })).toHaveProperty('Status.a.a')
  })
})

test('whatever is sent, the picture is a possible one', { timeout: 60_000 }, () => {
  const isPrinterState = Compile(PrinterState)
  const keys = [...Object.keys(printing), '__proto__', 'toString', '54 65 6D 70 4F 66 42 6F 78 00']
  const status = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()),
    fc.record({
      CurrentStatus: fc.oneof(fc.array(fc.constantFrom(0, 1, '1', 2, 5)), fc.jsonValue()),
      PrintInfo: fc.dictionary(fc.constantFrom(...Object.keys(info)), fc.jsonValue()),
    }),
  )
  const message = fc.oneof(fc.jsonValue(), fc.record({ Status: status }), fc.record({ Attributes: fc.jsonValue() }))
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), (messages) => {
      expect(isPrinterState.Check(withinBounds(sdcpState(take({ Status: printing }, ...messages))))).toBe(true)
    }),
    { numRuns: 500 },
  )
})
