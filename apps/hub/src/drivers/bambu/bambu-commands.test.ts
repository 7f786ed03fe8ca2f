import { expect, test } from 'vitest'
import { projectFileRequest, requestsFor } from './bambu-commands.ts'
import { traitsOf } from './bambu-models.ts'
import { type BambuPicture, emptyPicture, mergeMessage } from './bambu-report.ts'

const traits = (model: string) => traitsOf(model, '', '')
const pictureOf = (print: object): BambuPicture =>
  mergeMessage(emptyPicture(), { print: { command: 'push_status', msg: 0, ...print } })
const idle = pictureOf({ gcode_state: 'IDLE' })
const mapping = { use_ams: false, ams_mapping: [-1], ams_mapping2: [{ ams_id: 255, slot_id: 0 }] }

function startOn(model: string) {
  const request = projectFileRequest('clip.gcode.3mf', { archive_plate: 3 }, '918273645', mapping, traits(model))
  expect(request).toMatchObject({ group: 'print', command: 'project_file' })
  return request.fields
}

test('a start names the plate, the file and one number for all that counts runs', () => {
  expect(startOn('X1 Carbon')).toMatchObject({
    param: 'Metadata/plate_3.gcode',
    url: 'ftp:///clip.gcode.3mf',
    subtask_id: '918273645',
    task_id: '918273645',
    project_id: '918273645',
    vibration_cali: true,
    ...mapping,
  })
})

test('a P2S is not asked to calibrate its vibration, which it refuses', () => {
  expect(startOn('P2S').vibration_cali).toBe(false)
})

test.each(['H2D', 'H2C', 'X2D'])('the %s is told what its two nozzles want to know, others are not', (model) => {
  expect(startOn(model)).toMatchObject({ nozzle_offset_cali: 2, auto_bed_leveling: 1, extrude_cali_flag: 0 })
  expect(startOn('P1S')).not.toHaveProperty('nozzle_offset_cali')
})

const linesOf = (args: { nozzle?: number; bed?: number; chamber?: number }, model: string, picture = idle) =>
  requestsFor({ kind: 'heaters', args }, picture, traits(model)).map(({ fields }) => fields.param)

test('heaters are set by G-code, the nozzle in use where there are two, whole degrees', () => {
  expect(linesOf({ nozzle: 219.6, bed: 60 }, 'P1S')).toEqual(['M104 S220\nM140 S60\n'])
  const left = pictureOf({ gcode_state: 'IDLE', device: { extruder: { state: 0x12, info: [{ id: 0 }, { id: 1 }] } } })
  expect(linesOf({ nozzle: 220 }, 'H2D', left)).toEqual(['M104 T1 S220\n'])
})

test('the flap of a chamber is shut before it is heated, and opened after', () => {
  expect(linesOf({ chamber: 50 }, 'H2S')).toEqual(['M145 P1\nM141 S50\n'])
  expect(linesOf({ chamber: 0 }, 'H2S')).toEqual(['M141 S0\nM145 P0\n'])
  expect(linesOf({ chamber: 45 }, 'X1E')).toEqual(['M141 S45\n'])
  expect(() => linesOf({ chamber: 45 }, 'P1S')).toThrow('no chamber heater')
})

test('nothing is asked to home its height alone: the bed may meet the nozzle', () => {
  const sent = JSON.stringify([
    ...requestsFor({ kind: 'unload_filament', args: { slot: null, temperature: null } }, idle, traits('P1S')),
    ...requestsFor({ kind: 'heaters', args: { nozzle: 200, bed: 60, chamber: 40 } }, idle, traits('H2D')),
  ])
  expect(sent).not.toMatch(/G28|G1/)
})

const loads = (slot: number | null, picture: BambuPicture) =>
  requestsFor({ kind: 'load_filament', args: { slot, temperature: null } }, picture, traits('H2D'))[0]?.fields

test('the holder outside is loaded when there is nothing else, and one of several only when it is named', () => {
  const outside = { ams_id: 255, slot_id: 254, target: 254 }
  expect(loads(null, pictureOf({ gcode_state: 'IDLE', vt_tray: { id: '254', tray_type: 'PLA' } }))).toMatchObject(
    outside,
  )
  const holders = [
    { id: '254', tray_type: 'PLA' },
    { id: '255', tray_type: 'TPU' },
  ]
  const two = pictureOf({ gcode_state: 'IDLE', vir_slot: holders })
  expect(loads(255, two)).toMatchObject(outside)
  expect(() => loads(null, two)).toThrow('say which slot')
})

test('filament is unloaded hot enough to come out', () => {
  const temperature = (asked: number | null) =>
    requestsFor({ kind: 'unload_filament', args: { slot: null, temperature: asked } }, idle, traits('P1S'))[0]?.fields
      .tar_temp
  expect([temperature(null), temperature(150), temperature(260)]).toEqual([220, 210, 260])
})

test('a stop without a job acknowledges what the printer complains of', () => {
  const complaining = pictureOf({ gcode_state: 'FAILED', print_error: 0x0300_8004, subtask_id: '7' })
  const [request] = requestsFor({ kind: 'stop', args: { attempt_id: null } }, complaining, traits('P1S'))
  expect(request).toMatchObject({ command: 'clean_print_error', fields: { print_error: 0x0300_8004, subtask_id: '7' } })
})
