import { expect, test } from 'vitest'
import { changedTags, fileFiltersOf, readLibrarySearch } from './library-search.ts'

test('the address keeps how the library is looked at, and forgets what cannot be chosen', () => {
  const search = { search: 'hook', tag: 'wall', folder: 'Brackets/2026', sort: 'name', as: 'grid' }
  expect(readLibrarySearch(search)).toEqual(search)
  expect(readLibrarySearch({ search: '', tag: '', sort: 'newest', as: 'pile' })).toEqual({})
  // The router reads what looks like a number as one.
  expect(readLibrarySearch({ tag: 2026 })).toEqual({ tag: '2026' })
})

test('how files are shown is no matter of the service', () => {
  expect(fileFiltersOf({ tag: 'wall', as: 'grid' })).toEqual({ tag: 'wall' })
})

test('tags are added to and taken from many files, and files that have them or lack them stay as they are', () => {
  const files = [{ tags: ['a'] }, { tags: ['a', 'b'] }, { tags: [] }]
  expect(changedTags(files, { add: ['b'] }).map(({ tags }) => tags)).toEqual([['a', 'b'], ['b']])
  expect(changedTags(files, { remove: ['a', 'b'] }).map(({ tags }) => tags)).toEqual([[], []])
})
