import { expect, test } from 'vitest'
import { readImageType } from './image-type.ts'

test.each([
  ['ffd8ffe000104a464946', 'image/jpeg'],
  ['89504e470d0a1a0a0000000d', 'image/png'],
  ['52494646000000005745425056503820', 'image/webp'],
  ['474946383961', 'image/gif'],
  ['474946383761', 'image/gif'],
])('bytes that begin with %s are %s', (hex, type) => {
  expect(readImageType(Buffer.from(hex, 'hex'))).toBe(type)
})

test.each([
  '',
  'ffd8',
  '89504e470a1a0a',
  '524946460000000057415645',
  '474946383861',
  Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('hex'),
  Buffer.from('  GIF89a').toString('hex'),
])('bytes that begin with "%s" are no image', (hex) => {
  expect(readImageType(Buffer.from(hex, 'hex'))).toBeUndefined()
})
