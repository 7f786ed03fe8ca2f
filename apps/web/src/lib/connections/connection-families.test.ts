import { expect, test } from 'vitest'
import { connectionOf, familyOrder, missingFields, textsOfFound } from './connection-families.ts'

test('only what the family needs is sent, and a port as a number', () => {
  const texts = { address: ' 192.168.1.20 ', port: '5000', api_key: 'k', access_code: 'of another family' }
  expect(connectionOf('octoprint', texts)).toEqual({ address: '192.168.1.20', port: 5000, api_key: 'k' })
  expect(connectionOf('virtual', texts)).toEqual({})
})

test('a port that is no number goes as it was typed, so that the service says what is wrong with it', () => {
  expect(connectionOf('moonraker', { address: 'pi', port: '71x' })).toEqual({ address: 'pi', port: '71x' })
})

test('what a family cannot do without is asked for before anything is sent', () => {
  expect(missingFields('bambu', { address: '192.168.1.20', serial: ' ' })).toEqual({
    serial: 'Serial number is needed',
    access_code: 'Access code is needed',
  })
  expect(familyOrder.filter((type) => Object.keys(missingFields(type, {})).length === 0)).toEqual(['virtual'])
})

test('a found printer fills in its address, port and serial number as far as it says them', () => {
  expect(textsOfFound({ address: '192.168.1.20', port: 7126, serial: null })).toEqual({
    address: '192.168.1.20',
    port: '7126',
  })
})
