import fc from 'fast-check'
import { expect, test } from 'vitest'
import { freeSlug, isReservedSlug, isSlug, longestSlug, slugOfTitle } from './wiki-slug.ts'

test.each([
  ['Change the nozzle', 'change-the-nozzle'],
  ['  0.4 mm → 0.6 mm!  ', '0-4-mm-0-6-mm'],
  ['Crème brûlée – Ångström', 'creme-brulee-angstrom'],
  ['ＦＵＬＬ　ｗｉｄｔｈ', 'full-width'],
  ['ノズル交換', 'ノズル交換'],
  ['नोज़ल', 'नोज़ल'.normalize('NFKD').normalize('NFC')],
  ['Düse / Straße', 'duse-straße'],
  ['wik_01', 'wik-01'],
  ['🖨️ → ✅', 'article'],
  ['1️⃣ Level the bed', '1-level-the-bed'],
  [`${'a'.repeat(69)} b`, 'a'.repeat(69)],
])('the slug of %j is %j', (title, slug) => {
  expect(slugOfTitle(title)).toBe(slug)
})

const anyText = fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), fc.string({ unit: 'grapheme' }))

test('every title has a slug that is one as it stands, without separators, capitals or more than its length', () => {
  fc.assert(
    fc.property(anyText, (title) => {
      const slug = slugOfTitle(title)
      expect(isSlug(slug)).toBe(true)
      expect(slugOfTitle(slug)).toBe(slug)
      expect(slug).toBe(slug.toLowerCase())
      expect(slug).toMatch(/^[\p{L}\p{N}\p{M}]+(-[\p{L}\p{N}\p{M}]+)*$/u)
      expect([...slug].length).toBeLessThanOrEqual(70)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  '',
  '-',
  'a--b',
  '-a',
  'a-',
  'A',
  'a b',
  'a/b',
  'wik_01',
  'é',
  'e\u0301',
  '%20',
  '..',
  'a'.repeat(longestSlug + 1),
])('%j is no slug', (text) => {
  expect(isSlug(text)).toBe(false)
})

test('a slug that is taken gets the lowest free number, and stays a slug', () => {
  expect(freeSlug('lamp', new Set())).toBe('lamp')
  expect(freeSlug('lamp', new Set(['lamp']))).toBe('lamp-2')
  expect(freeSlug('lamp', new Set(['lamp', 'lamp-2', 'lamp-4']))).toBe('lamp-3')
  expect(freeSlug('lamp', new Set(['lamp-2']))).toBe('lamp')
  fc.assert(
    fc.property(anyText, fc.integer({ min: 0, max: 30 }), (title, count) => {
      const taken = new Set<string>()
      for (let i = 0; i < count; i++) taken.add(freeSlug(slugOfTitle(title), taken))
      expect(taken.size).toBe(count)
      expect([...taken].filter((slug) => !isSlug(slug))).toEqual([])
    }),
  )
})

test('no title takes the address of the categories', () => {
  expect(isReservedSlug(slugOfTitle('Categories'))).toBe(true)
  expect(freeSlug('categories', new Set())).toBe('categories-2')
})
