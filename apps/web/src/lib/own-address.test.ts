import { expect, test } from 'vitest'
import { thumbnailOf } from './own-address.ts'

test('an image of the service has a small form at this page’s own address', () => {
  const token = 'a'.repeat(32)
  expect(thumbnailOf(`http://farm.local:8080/images/${token}`)).toBe(`/images/${token}/thumb`)
})

test('an image elsewhere, and none, have no small form', () => {
  expect(thumbnailOf('https://shop.example/images/lamp.png')).toBeUndefined()
  expect(thumbnailOf('')).toBeUndefined()
  expect(thumbnailOf(null)).toBeUndefined()
})
