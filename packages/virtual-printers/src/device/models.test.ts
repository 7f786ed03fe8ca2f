import { expect, test } from 'vitest'
import { modelNamed } from './models.ts'

test.each([
  ['mk4s', 'MK4S'],
  ['Original Prusa MK4S', 'MK4S'],
  ['Prusa MK3S+', 'MK3S'],
  ['Prusa MINI', 'MINI'],
  ['Bambu Lab A1 mini', 'A1 mini'],
  ['Bambu Lab A1', 'A1'],
  ['P1S Combo', 'P1S'],
  ['Bambu Lab X1 Carbon', 'X1C'],
  ['Creality Ender-3 V3', 'Ender-3 V3'],
  ['Voron 2.4', 'Voron 2.4'],
  ['Home-made', 'Generic'],
  ['', 'Generic'],
])('"%s" is simulated as %s', (written, name) => {
  expect(modelNamed(written).name).toBe(name)
})

test('a chamber is measured by a P1S, heated by an X1E, and absent in a MINI', () => {
  expect(modelNamed('P1S').chamber?.maxTemp).toBe(0)
  expect(modelNamed('X1E').chamber?.maxTemp).toBe(60)
  expect(modelNamed('MINI').chamber).toBeNull()
})
