import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../test/any-text.ts'
import { fileNameAtPrinter } from './file-name.ts'

const attemptId = 'att_01jd8q2w4e6r8t0y1u3i5o7p9a'

describe('file name at the printer', () => {
  test('the readable part and the extension stay, blanks become underscores', () => {
    expect(fileNameAtPrinter({ name: 'Bracket v2.gcode', format: 'gcode' }, attemptId)).toBe(
      'Bracket_v2-0y1u3i5o7p9a.gcode',
    )
    expect(fileNameAtPrinter({ name: 'plate.gcode.3mf', format: 'gcode-3mf' }, attemptId)).toMatch(
      /^plate-[0-9a-z]{12}\.gcode\.3mf$/,
    )
  })

  test('accents, slashes and leading dots do not reach the printer', () => {
    expect(fileNameAtPrinter({ name: '../Übung/größe.bgcode', format: 'bgcode' }, attemptId)).toMatch(
      /^Ubung_gro_e-[0-9a-z]{12}\.bgcode$/,
    )
  })

  test('any name becomes safe, short, and different for different attempts', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(anyText(300), (name) => {
        const one = fileNameAtPrinter({ name, format: 'gcode' }, attemptId)
        const other = fileNameAtPrinter({ name, format: 'gcode' }, `${attemptId.slice(0, -1)}b`)
        expect(one).toMatch(/^[A-Za-z0-9._-]{1,60}\.gcode$/)
        expect(one).not.toMatch(/^\./)
        expect(one).not.toBe(other)
      }),
    )
  })
})
