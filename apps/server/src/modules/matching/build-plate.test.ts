import { expect, test } from 'vitest'
import { plateKind } from './build-plate.ts'

test.each([
  ['Textured PEI Plate', 'textured PEI'],
  ['textured_plate', 'textured PEI'],
  ['Cool Plate', 'cool'],
  ['cool_plate', 'cool'],
  ['Textured Cool Plate', 'textured cool'],
  ['Bambu Cool Plate SuperTack', 'supertack'],
  ['supertack_plate', 'supertack'],
  ['Engineering Plate', 'engineering'],
  ['eng_plate', 'engineering'],
  ['High Temp Plate', 'high temperature'],
  ['hot_plate', 'high temperature'],
  ['Smooth PEI', 'high temperature'],
  ['Default Plate', null],
  ['the blue one', null],
  ['', null],
])('%j is %s', (text, kind) => {
  expect(plateKind(text)).toBe(kind)
})
