import { expect, test } from 'vitest'
import { searchFor, searchWords } from './search-words.ts'

test('a text is found by each of its runs and by the parts of a run', () => {
  expect(searchWords(['W-1001', 'Åsa  Müller', '#77', ''])).toEqual(
    expect.arrayContaining(['w-1001', 'w', '1001', 'asa', 'muller', '#77', '77']),
  )
})

test('words are there once, and none is empty or longer than 200 characters', () => {
  const words = searchWords(['A a', '--', 'x'.repeat(300)])
  expect(words.toSorted()).toEqual(['--', 'a', 'x'.repeat(200)].toSorted())
})

test('what is looked for is the beginning of a word, whatever stands in it', () => {
  expect(searchFor(' Müller  W-1 ')).toBe("'muller':* & 'w-1':*")
  expect(searchFor("O'Neil\\")).toBe("'o''neil\\\\':*")
  expect(searchFor('   ')).toBeUndefined()
})
