import { expect, test } from 'vitest'
import { makeRequestIds } from './request-ids.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('no two requests have the same ID, of one process or of two', () => {
  const [nameOne, nameOther] = [makeRequestIds(), makeRequestIds()]
  const ids = Array.from({ length: 500 }, () => [nameOne({ headers: {} }), nameOther({ headers: {} })]).flat()
  expect(new Set(ids).size).toBe(1_000)
  expect(ids.filter((id) => !uuid.test(id))).toEqual([])
})

test('after the last count the IDs begin with something else', () => {
  const name = makeRequestIds(9_999_999_998)
  const ids = Array.from({ length: 4 }, () => name({ headers: {} }))
  expect(ids.filter((id) => !uuid.test(id))).toEqual([])
  expect(ids.map((id) => id.slice(26))).toEqual(['9999999998', '9999999999', '1000000000', '1000000001'])
  expect(ids[2]?.slice(0, 26)).not.toBe(ids[1]?.slice(0, 26))
})

test('what a caller names its request is kept when it has the form of a name', () => {
  const name = makeRequestIds()
  expect(name({ headers: { 'x-request-id': 'order-17.a_b' } })).toBe('order-17.a_b')
  for (const given of ['', 'a b', 'x'.repeat(129)]) expect(name({ headers: { 'x-request-id': given } })).toMatch(uuid)
})
