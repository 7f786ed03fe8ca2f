import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attemptFileName, isFileOfAttempt } from './attempt-file-name.ts'

const attemptId = 'att_01jd8q2w4e6r8t0y1u3i5o7p9a'
const anyName = fc.string({ unit: 'binary', maxLength: 300 })

describe('file name at the printer', () => {
  test('the readable part and the extension stay, blanks become underscores', () => {
    expect(attemptFileName({ name: 'Bracket v2.gcode', format: 'gcode' }, attemptId)).toBe(
      'Bracket_v2-0y1u3i5o7p9a.gcode',
    )
    expect(attemptFileName({ name: 'plate.gcode.3mf', format: 'gcode-3mf' }, attemptId)).toMatch(
      /^plate-[0-9a-z]{12}\.gcode\.3mf$/,
    )
  })

  test('accents, slashes and leading dots do not reach the printer', () => {
    expect(attemptFileName({ name: '../Übung/größe.bgcode', format: 'bgcode' }, attemptId)).toMatch(
      /^Ubung_gro_e-[0-9a-z]{12}\.bgcode$/,
    )
  })

  test('any name becomes safe, short, and different for different attempts', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const one = attemptFileName({ name, format: 'gcode' }, attemptId)
        const other = attemptFileName({ name, format: 'gcode' }, `${attemptId.slice(0, -1)}b`)
        expect(one).toMatch(/^[A-Za-z0-9._-]{1,60}\.gcode$/)
        expect(one).not.toMatch(/^\./)
        expect(one).not.toBe(other)
      }),
    )
  })
})

describe('whose file it is', () => {
  test('any file is that of its own attempt and of no other', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(anyName, fc.constantFrom('gcode', 'bgcode', 'gcode-3mf', 'ufp'), (name, format) => {
        const fileName = attemptFileName({ name, format }, attemptId)
        expect(isFileOfAttempt(fileName, attemptId)).toBe(true)
        expect(isFileOfAttempt(fileName, `${attemptId.slice(0, -1)}b`)).toBe(false)
      }),
    )
  })

  test.each(['CLIP-0Y1U3I5O7P9A.GCO', 'clip-0y1u3i5o7p9a', 'prints/clip-0y1u3i5o7p9a.gcode.3mf', '-0y1u3i5o7p9a.ufp'])(
    '%s is shown by a printer of the file',
    (fileName) => {
      expect(isFileOfAttempt(fileName, attemptId)).toBe(true)
    },
  )

  test.each([
    'clip-0y1u3i5o7p9a_1.gcode',
    'clip-0y1u3i5o7p9a (copy).gcode',
    'clip-0y1u3i5o7p9a-2.gcode',
    'clip0y1u3i5o7p9a.gcode',
    '0y1u3i5o7p9a.gcode',
    'clip-y1u3i5o7p9a.gcode',
    'clip-00y1u3i5o7p9a.gcode',
    'vase.gcode',
    '',
  ])('%s is another file', (fileName) => {
    expect(isFileOfAttempt(fileName, attemptId)).toBe(false)
  })

  test('an attempt without an ID has no file', () => {
    expect(isFileOfAttempt('clip-.gcode', '')).toBe(false)
    expect(isFileOfAttempt('clip.gcode', 'att_')).toBe(false)
  })
})
