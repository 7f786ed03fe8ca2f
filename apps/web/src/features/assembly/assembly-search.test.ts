import { expect, test } from 'vitest'
import { readAssemblySearch } from './assembly-search.ts'

test('the address names a state and a kind; what is neither is left out', () => {
  expect(readAssemblySearch({ status: 'pending', kind: 'kit_assembly' })).toEqual({
    ...{ status: 'pending', kind: 'kit_assembly' },
  })
  expect(readAssemblySearch({ status: 'lost', kind: '' })).toEqual({})
})
