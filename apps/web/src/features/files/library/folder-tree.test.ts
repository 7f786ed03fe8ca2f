import { expect, test } from 'vitest'
import { foldersBelow, wayTo } from './folder-tree.ts'

const folders = [
  { folder: 'Brackets', files: 2 },
  { folder: 'Brackets/2025', files: 1 },
  { folder: 'Brackets/2026/March', files: 4 },
  { folder: 'Bracketsy', files: 8 },
]

test('a folder is told with all that is below it, also where nothing is right in it', () => {
  expect(foldersBelow(folders, '')).toEqual([
    { name: 'Brackets', folder: 'Brackets', files: 7 },
    { name: 'Bracketsy', folder: 'Bracketsy', files: 8 },
  ])
  expect(foldersBelow(folders, 'Brackets')).toEqual([
    { name: '2025', folder: 'Brackets/2025', files: 1 },
    { name: '2026', folder: 'Brackets/2026', files: 4 },
  ])
  expect(foldersBelow(folders, 'Brackets/2025')).toEqual([])
})

test('the way to a folder has each folder above it', () => {
  expect(wayTo('')).toEqual([])
  expect(wayTo('Brackets/2026/March').map(({ folder }) => folder)).toEqual([
    'Brackets',
    'Brackets/2026',
    'Brackets/2026/March',
  ])
})
