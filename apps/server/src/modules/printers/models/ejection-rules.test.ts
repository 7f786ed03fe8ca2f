import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ejectionErrors, problemOf } from './ejection-rules.ts'

const mk4s = { model: 'MK4S', connection_type: 'prusalink' as const }
const own = (gcode: string) => ({ cooldown_temp: 30, gcode })

test('a model with an ejection of its own needs no G-code', () => {
  expect(ejectionErrors(mk4s, { cooldown_temp: 30, gcode: null })).toBeUndefined()
})

test.each([
  { model: 'CORE One', connection_type: 'prusalink' as const },
  { model: 'A1 mini', connection_type: 'bambu' as const },
  { model: 'Ender-3', connection_type: 'moonraker' as const },
  { model: 'Homemade', connection_type: 'octoprint' as const },
])('$model by $connection_type needs the G-code of a person', (printer) => {
  const errors = ejectionErrors(printer, { cooldown_temp: 30, gcode: null })
  expect(errors?.ejection?.[0]).toContain(printer.model)
  expect(ejectionErrors(printer, own('TEMPERATURE_WAIT SENSOR=heater_bed MAXIMUM={cooldown_temp}'))).toBeUndefined()
})

test('own G-code that does not wait for the bed is refused', () => {
  for (const gcode of ['G1 Y0', 'G1 Y0 ; {cooldown_temp}']) {
    expect(ejectionErrors(mk4s, own(gcode))?.['ejection.gcode']?.[0]).toContain('wait for the bed')
  }
})

test('a usual own ejection is taken', () => {
  const gcode = [
    'M190 R{cooldown_temp} ; cool',
    'G91',
    'G1 Z10 F600',
    'g90',
    'G28 X Y',
    'G1 X125 Y210 F6000',
    'G1 Z2.5',
    'G1 Y0 F900',
    'M84',
  ].join('\r\n')
  expect(ejectionErrors(mk4s, own(gcode))).toBeUndefined()
})

describe('a line that may hurt is refused, with its number', () => {
  test.each([
    ['M112', 'M112'],
    ['M104 S200', 'heats above'],
    ['M140 S31', 'heats above'],
    ['M190 R60', 'heats above'],
    ['M109', 'no temperature'],
    ['M140 S', 'heats above'],
    ['M303 E0 S200', 'M303'],
    ['M141 S20', 'M141'],
    ['M500', 'M500'],
    ['G28', 'homing Z'],
    ['G28 Z', 'homing Z'],
    ['G28 X Y Z', 'homing Z'],
    ['G92 Z100', 'G92'],
    ['G2 X10 Y10 I5', 'G2'],
    ['G1 X-1', 'X-1'],
    ['G1 Y210.5', 'Y210.5'],
    ['G1 Z221', 'Z221'],
    ['G1 X10 E5', 'X, Y, Z and F only'],
    ['G1 X', 'no place for X'],
    ['G1 X10 X20', 'not a command'],
    ['SET_HEATER_TEMPERATURE HEATER=heater_bed TARGET=90', 'not a command'],
    ['N3 G1 X1*44', 'not a command'],
    ['M104 S20 M112', 'not a command'],
    ['M106 S255 G1', 'not a command'],
    ['M104 S20 B5', 'S and R only'],
    ['G1 X{bed}', 'placeholder'],
    ['G1 X1 ; é', 'ASCII'],
    ['G1 X1 ; hidden\rM112', 'ASCII'],
  ])('%s', (line, why) => {
    const problem = problemOf(`G90\n${line}`, 30, 'MK4S')
    expect(problem).toContain('line 2: ')
    expect(problem).toContain(why)
  })

  test('a relative move that is not up', () => {
    for (const move of ['G1 Z-1', 'G1 X5', 'G1 Y-5']) {
      expect(problemOf(`G91\n${move}`, 30, 'MK4S')).toContain('line 2: relative moves may only rise')
    }
  })
})

test('no text makes the check throw, and no accepted text holds a heater above the cool-down', () => {
  const word = fc.constantFrom('G1', 'M104', 'M140', 'S60', 'S20', 'R99', 'X10', 'Y-4', '\n', ';', ' ', '{', 'M112')
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(word).map((words) => words.join(' ')),
      ),
      (gcode) => {
        if (problemOf(gcode, 30, 'MK4S') !== undefined) return
        const bare = gcode.replace(/;.*$/gm, '')
        expect(bare).not.toMatch(/M112/)
        for (const [, degrees] of bare.matchAll(/^\s*M1[04]\d.*[SR](\d+)/gm))
          expect(Number(degrees)).toBeLessThanOrEqual(30)
      },
    ),
  )
})
