import fc from 'fast-check'

/**
 * Texts of whatever characters there are, simple ones more often. The library's own unit of this kind builds a table of all of
 * Unicode first, which takes half a second of the test that is the first to use it, and seconds on a busy machine.
 */
export function anyText(maxLength?: number): fc.Arbitrary<string> {
  return fc.string({ unit: anyCharacter, ...(maxLength !== undefined && { maxLength }) })
}

const LAST_CODE_POINT = 0x10ffff

const anyCharacter = fc
  .integer({ min: 0, max: LAST_CODE_POINT })
  .map((point) => String.fromCodePoint(point))
  .filter((character) => character.isWellFormed())
