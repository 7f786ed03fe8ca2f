import { expect, test } from 'vitest'
import { connectionOf, connectionTypes, missingFields } from './connection-fields.ts'

const typed = { address: ' 192.0.2.7 ', port: '7125', serial: 'S1', access_code: '', api_key: '' }

test('only what this kind of connection needs is sent', () => {
  expect(connectionOf('moonraker', typed)).toEqual({ address: '192.0.2.7', port: 7125 })
  expect(connectionOf('bambu', typed)).toEqual({ address: '192.0.2.7', serial: 'S1' })
  expect(connectionOf('virtual', typed)).toEqual({})
})

test('what is missing is named by its field', () => {
  expect(missingFields('bambu', typed)).toEqual({ access_code: 'Access code is needed' })
  expect(connectionTypes.filter((type) => Object.keys(missingFields(type, {})).length === 0)).toEqual(['virtual'])
})
