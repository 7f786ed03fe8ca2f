import { expect, test } from 'vitest'
import { addressOfLink, addressOfPicture } from './safe-addresses.ts'

test('a link leads to pages and mail, and to nothing that runs', () => {
  expect(addressOfLink('https://example.com/a?b=1')).toBe('https://example.com/a?b=1')
  expect(addressOfLink('mailto:a@example.com')).toBe('mailto:a@example.com')
  expect(addressOfLink('/orders')).toBe('/orders')
  for (const bad of [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' data:text/html,x',
    '//example.com',
    'vbscript:x',
    '/\\example.com',
    '/\t/example.com',
    '/\n\\example.com',
  ]) {
    expect(addressOfLink(bad)).toBeUndefined()
  }
})

test('only pictures of the service are shown, by its own address', () => {
  const token = '0123456789abcdef0123456789abcdef'
  expect(addressOfPicture(`https://farm.example/images/${token}`)).toBe(`/images/${token}`)
  expect(addressOfPicture(`/images/${token}/thumb`)).toBe(`/images/${token}/thumb`)
  expect(addressOfPicture('https://elsewhere.example/a.png')).toBeUndefined()
  expect(addressOfPicture(`https://farm.example/images/${token}?x`)).toBeUndefined()
})
