import { expect, test } from 'vitest'
import { moveImage } from './move-image.ts'

test('a picture takes the place of the one it was dropped on, in both directions', () => {
  expect(moveImage(['a', 'b', 'c', 'd'], 'd', 'b')).toEqual(['a', 'd', 'b', 'c'])
  expect(moveImage(['a', 'b', 'c', 'd'], 'a', 'c')).toEqual(['b', 'c', 'a', 'd'])
})

test('a picture that is gone meanwhile moves nothing', () => {
  expect(moveImage(['a', 'b'], 'x', 'a')).toEqual(['a', 'b'])
  expect(moveImage(['a', 'b'], 'a', 'x')).toEqual(['a', 'b'])
})
