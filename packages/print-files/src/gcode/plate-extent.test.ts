import { expect, test } from 'vitest'
import { type PrintObject, unknownFacts } from '../print-file.ts'
import { addExtent, extent } from './plate-extent.ts'

const object = (id: string, polygon?: PrintObject['polygon']): PrintObject => ({
  id,
  name: id,
  ...(polygon && { polygon }),
})

function extentOf(objects: PrintObject[], known: { widthMm?: number } = {}) {
  const facts = { ...unknownFacts(), objects, ...known }
  addExtent(facts)
  return [facts.widthMm, facts.depthMm]
}

test('what a print covers is what the outlines of all its objects span', () => {
  const first = object('a', [
    [10, 20],
    [30.5, 20],
    [10, 40],
  ])
  const second = object('b', [
    [-5, 25],
    [0, 90],
  ])
  expect(extentOf([first, second])).toEqual([35.5, 70])
})

test('where an object has no outline, or nothing is known of objects, it is not known', () => {
  expect(extentOf([])).toEqual([null, null])
  expect(
    extentOf([
      object('a', [
        [0, 0],
        [5, 5],
      ]),
      object('b'),
    ]),
  ).toEqual([null, null])
})

test('what the slicer itself says stays', () => {
  expect(
    extentOf(
      [
        object('a', [
          [0, 0],
          [5, 5],
        ]),
      ],
      { widthMm: 80 },
    ),
  ).toEqual([80, null])
})

test.each([
  [109.7, 140.3, 30.6],
  [2147483, -2147483, null],
  [-2147483, 2147483, null],
  [Number.NaN, 5, null],
])('from %d to %d is %j', (from, to, length) => {
  expect(extent(from, to)).toBe(length)
})
