import { expect, test } from 'vitest'
import { connectionErrors } from './connection-settings.ts'

test('a virtual printer needs no settings', () => {
  expect(connectionErrors('virtual', {})).toBeUndefined()
})

test('a printer on the network needs an address', () => {
  expect(connectionErrors('bambu', { serial: '01P00A' })).toEqual({ 'connection.address': ['is required'] })
  expect(connectionErrors('octoprint', { address: 5 })).toEqual({ 'connection.address': ['must be a string'] })
  expect(connectionErrors('moonraker', { address: '  ' })).toHaveProperty('connection.address')
  expect(connectionErrors('prusalink', { address: 'a'.repeat(256) })).toHaveProperty('connection.address')
  expect(connectionErrors('elegoo', { address: '192.0.2.4' })).toBeUndefined()
})

test('settings are bounded in bytes, not characters', () => {
  expect(connectionErrors('virtual', { note: 'a'.repeat(16_300) })).toBeUndefined()
  expect(connectionErrors('virtual', { note: 'é'.repeat(8_300) })).toEqual({
    connection: ['must be at most 16 KB of JSON'],
  })
})
