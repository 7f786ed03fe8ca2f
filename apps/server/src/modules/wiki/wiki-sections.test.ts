import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrangeSections, findRepeatedIds, type GivenSection, sectionTypes } from './wiki-sections.ts'

const counting = () => {
  let made = 0
  return () => `made-${++made}`
}

test('a section that only has a type is filled in', () => {
  expect(arrangeSections([{ type: 'step' }], counting())).toEqual([
    {
      id: 'made-1',
      type: 'step',
      order: 0,
      content: '',
      title: '',
      description: '',
      image_url: '',
      notes: '',
      warnings: [],
      number: null,
    },
  ])
})

test('sections stand by their order, and those of equal order as they were given', () => {
  const given: GivenSection[] = [
    { type: 'step', id: 'c', order: 9 },
    { type: 'step', id: 'a' },
    { type: 'note', id: 'b', order: 1 },
    { type: 'subtitle', id: 'first', order: 0 },
  ]
  expect(arrangeSections(given, counting()).map(({ id }) => id)).toEqual(['first', 'a', 'b', 'c'])
})

const givenSection = fc.record(
  { type: fc.constantFrom(...sectionTypes), id: fc.string({ minLength: 1 }), order: fc.nat(20), content: fc.string() },
  { requiredKeys: ['type'] },
)

test('arranging loses nothing, leaves the given alone, and arranging again changes nothing', () => {
  fc.assert(
    fc.property(fc.array(givenSection), (given) => {
      const before = structuredClone(given)
      const arranged = arrangeSections(given, counting())
      expect(given).toEqual(before)
      expect(arranged.map(({ content }) => content).sort()).toEqual(given.map(({ content }) => content ?? '').sort())
      expect(arrangeSections(arranged, counting())).toEqual(arranged)
    }),
  )
})

test('sections of the same ID are found; those without one never clash', () => {
  const given: GivenSection[] = [
    { type: 'step', id: 'a' },
    { type: 'step' },
    { type: 'step' },
    { type: 'note', id: 'a' },
    { type: 'note', id: 'b' },
    { type: 'note', id: 'a' },
  ]
  expect(findRepeatedIds(given)).toEqual([3, 5])
})
