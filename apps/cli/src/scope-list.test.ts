import { expect, test } from 'vitest'
import { readScopes } from './scope-list.ts'

test('scopes are read whatever their order and spaces, each once', () => {
  expect(readScopes('control, read,read')).toEqual(['read', 'control'])
  expect(readScopes('read,write,control')).toEqual(['read', 'write', 'control'])
})

test.each(['', ',', 'read,', 'admin', 'read,admin', 'READ', 'read write'])('"%s" is refused as a whole', (text) => {
  expect(readScopes(text)).toBeUndefined()
})
