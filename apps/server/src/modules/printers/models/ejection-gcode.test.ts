import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { composeEjection, ejectionEnd, passesOver } from './ejection-gcode.ts'
import { problemOf } from './ejection-rules.ts'
import { pushingBedOf } from './printer-models.ts'

const byModel = { cooldown_temp: 30, gcode: null }
const prusa = (model: string) => ({ model, connection_type: 'prusalink' as const })
const file = (max_z_mm: number | null, format = 'gcode') => ({ format, max_z_mm })
const pushingModels = ['MK4S', 'MK4', 'MK3.5', 'Ender-3', 'Ender-3 V3 SE']

function gcodeOf(...[ejection, printer, printed]: Parameters<typeof composeEjection>): string {
  const composed = composeEjection(ejection, printer, printed)
  if ('refusal' in composed) throw new Error(composed.refusal)
  return composed.gcode
}

describe('the ejection of a model', () => {
  test('never leaves the bed, never heats above the cool-down and never homes Z, whatever the print', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...pushingModels),
        fc.double({ min: 15, max: 60, noNaN: true }),
        fc.double({ min: 0, max: 400, noNaN: true }),
        (model, cooldown, height) => {
          const cooldown_temp = Math.round(cooldown)
          const composed = composeEjection({ cooldown_temp, gcode: null }, prusa(model), file(height))
          if ('refusal' in composed) return
          expect(problemOf(composed.gcode, cooldown_temp, model)).toBeUndefined()
          const bed = pushingBedOf(model)
          for (const [, axis, value] of composed.gcode.matchAll(/ ([XYZ])(-?[\d.]+)/g)) {
            const largest = { X: bed?.width, Y: bed?.depth, Z: bed?.height }[axis as 'X' | 'Y' | 'Z']
            expect(Number(value)).toBeGreaterThanOrEqual(0)
            expect(Number(value)).toBeLessThanOrEqual(largest ?? 0)
          }
        },
      ),
    )
  })

  test('travels across the bed only above the print, and comes down only over the back edge', () => {
    fc.assert(
      fc.property(fc.constantFrom(...pushingModels), fc.integer({ min: 8, max: 200 }), (model, height) => {
        const lines = gcodeOf(byModel, prusa(model), file(height)).split('\n')
        let z = height
        let y = 0
        for (const line of lines) {
          const rises = /^G1 Z([\d.]+)/.exec(line)
          const travels = /^G1 X[\d.]+ Y([\d.]+)/.exec(line)
          if (rises) {
            z = Number(rises[1])
            if (z < height) expect(y).toBe(pushingBedOf(model)?.depth)
          }
          if (travels || line === 'G28 X Y') expect(z).toBeGreaterThanOrEqual(height + 10)
          if (travels) y = Number(travels[1])
          if (line.startsWith('G1 Y0')) y = 0
        }
      }),
    )
  })

  test('waits for the bed before it pushes, and switches all heaters off before and after', () => {
    const lines = gcodeOf(byModel, prusa('MK4S'), file(20)).split('\n')
    const firstPush = lines.findIndex((line) => line.startsWith('G1 Y0'))
    expect(lines.findIndex((line) => line.startsWith('M190 R30'))).toBeLessThan(firstPush)
    expect(lines.findIndex((line) => line.startsWith('M109 R30'))).toBeLessThan(firstPush)
    expect(lines.indexOf('M140 S0')).toBeLessThan(firstPush)
    expect(lines.lastIndexOf('M140 S0')).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith('M190')))
    expect(lines.lastIndexOf('M104 S0')).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith('M109')))
    expect(lines.at(-2)).toBe(ejectionEnd)
  })

  test('sweeps the whole width, no pass further from the next than a toolhead is wide', () => {
    for (const width of [220, 250]) {
      const [middle, ...sweep] = passesOver(width)
      expect(middle).toBe(width / 2)
      expect([sweep[0], sweep.at(-1)]).toEqual([20, width - 20])
      for (const [index, x] of sweep.slice(1).entries()) expect(x - (sweep[index] ?? 0)).toBeLessThanOrEqual(35)
    }
  })
})

test.each([
  ['a Bambu archive', byModel, prusa('MK4S'), file(20, 'gcode-3mf'), 'format_not_supported'],
  ['a print of unknown height', byModel, prusa('MK4S'), file(null), 'height_not_known'],
  ['a print too flat to be pushed', byModel, prusa('MK4S'), file(7.9), 'too_flat'],
  ['a print that the toolhead cannot pass above', byModel, prusa('MK4S'), file(211), 'too_tall'],
  ['a bed that only sinks', byModel, prusa('XL'), file(20), 'no_gcode_for_model'],
  ['a model no one knows', byModel, prusa('Homemade'), file(20), 'no_gcode_for_model'],
  [
    'a firmware that does not wait for cooling by M190 R',
    byModel,
    { model: 'Ender-3', connection_type: 'moonraker' as const },
    file(20),
    'no_gcode_for_model',
  ],
  [
    'own G-code that rises above a print of unknown height',
    { cooldown_temp: 30, gcode: 'G1 Z{clear_z}' },
    prusa('Homemade'),
    file(null),
    'height_not_known',
  ],
])('%s is printed without ejection', (_what, ejection, printer, printed, refusal) => {
  expect(composeEjection(ejection, printer, printed)).toEqual({ refusal })
})

test('own G-code gets its values, and heaters are off after it', () => {
  const own = { cooldown_temp: 28.5, gcode: 'M190 R{cooldown_temp}\r\nG1 Z{clear_z} F600\nG1 Y0' }
  const gcode = gcodeOf(own, prusa('Homemade'), file(12.345))
  expect(gcode).toContain('M190 R28.5\nG1 Z22.35 F600\nG1 Y0\n')
  expect(gcode.split('\n').slice(-6)).toEqual(['M400', 'M104 S0', 'M140 S0', 'M107', ejectionEnd, ''])
})
