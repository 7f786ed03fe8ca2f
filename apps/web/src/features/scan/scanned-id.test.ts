import { expect, test } from 'vitest'
import { kindOf, shortId } from '../../lib/things.ts'
import { scannedId } from './scanned-id.ts'

const id = 'prn_01kaxq3v7m2e8h5t9w4c6n0b1d'

test.each([
  ['the address on a label', `https://farm.example.com/s/${id}`],
  ['an address with a line end', `http://192.168.1.20:8080/s/${id}\n`],
  ['the ID alone', id],
  ['a scanner that is set to German keys', `http>--farm.example.com-s-${id.replace('_', '?')}`],
  ['a scanner with the shift lock', `HTTPS://FARM.EXAMPLE.COM/S/${id.toUpperCase()}`],
])('%s gives the ID', (_, text) => {
  expect(scannedId(text)).toBe(id)
})

test.each(['', '4006381333931', 'https://example.com/', 'job_01kaxq3v7m2e8h5t9w4c6n0b1d', `${id}x`])(
  '%j is no label of ours',
  (text) => {
    expect(scannedId(text)).toBeUndefined()
  },
)

test('an ID tells what it names', () => {
  expect([kindOf(id), kindOf('mat_1'), kindOf('job_1'), shortId(id)]).toEqual(['printer', 'spool', undefined, '6N0B1D'])
})
