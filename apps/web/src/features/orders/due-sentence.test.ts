import { expect, test } from 'vitest'
import { dueSentence } from './due-sentence.ts'

const nowMs = Date.parse('2026-11-23T12:00:00Z')
const promise = {
  is_ready: false,
  ready_p50_at: '2026-11-23T13:00:00.000Z',
  ready_p90_at: '2026-11-23T14:00:00.000Z',
  promised_at: '2026-11-24T00:00:00.000Z',
  first_promised_at: null,
  is_at_risk: false,
  unknown_because: null,
  message: '',
}
const unknown = { ...promise, ready_p50_at: null, ready_p90_at: null, message: 'CLIP has no recipe' }

test.each([
  ['2026-11-23T11:00:00Z', null, 'It should have been shipped by now'],
  ['2026-11-23T11:00:00Z', { ...promise, is_at_risk: true }, 'It should have been shipped by now · ready by 2:00 PM'],
  ['2026-11-23T13:30:00Z', { ...promise, is_at_risk: true }, 'It will probably be ready too late · ready by 2:00 PM'],
  ['2026-11-23T18:00:00Z', promise, 'It is to be shipped within a day · ready by 2:00 PM'],
  ['2026-11-23T18:00:00Z', { ...promise, is_ready: true }, 'It is to be shipped within a day · it is ready'],
  ['2026-11-23T18:00:00Z', unknown, 'It is to be shipped within a day · CLIP has no recipe'],
])('an order to be shipped by %s', (ship_by, known, sentence) => {
  expect(dueSentence({ status: 'pending', ship_by, promise: known }, nowMs, 'UTC')).toBe(sentence)
})
