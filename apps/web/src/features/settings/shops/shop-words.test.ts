import { expect, test } from 'vitest'
import { shopState, troubleWords } from './shop-words.ts'

test('a shop that was never read to the end says so', () => {
  expect(shopState({ status: 'active', last_read_at: null, needs_authorisation: false }).word).toBe(
    'Being read for the first time',
  )
  expect(shopState({ status: 'failing', last_read_at: null, needs_authorisation: false }).word).toBe('Down')
})

test('what a person should look at is counted', () => {
  expect(troubleWords({ refused_orders: 0, failed_parcels: 0 })).toBeUndefined()
  expect(troubleWords({ refused_orders: 1, failed_parcels: 2 })).toBe('1 order not recorded, 2 parcels not taken')
})
