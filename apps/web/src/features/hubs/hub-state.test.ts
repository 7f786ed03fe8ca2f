import { expect, test } from 'vitest'
import { presentHub } from './hub-state.ts'

const seen = '2026-05-04T10:00:00.000Z'
const word = (hub: Partial<Parameters<typeof presentHub>[0]>) =>
  presentHub({ is_online: false, is_stale: false, claimed_at: seen, last_seen_at: seen, ...hub }).word

test('a hub is connected, silent, away, joined or not joined', () => {
  expect(word({ is_online: true })).toBe('Connected')
  expect(word({ is_online: true, is_stale: true })).toBe('Silent')
  expect(word({})).toBe('Away')
  expect(word({ is_stale: true })).toBe('Away')
  expect(word({ last_seen_at: null })).toBe('Joined')
  expect(word({ last_seen_at: null, claimed_at: null })).toBe('Not joined')
})
