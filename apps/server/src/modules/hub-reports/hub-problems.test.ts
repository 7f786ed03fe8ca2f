import { expect, test } from 'vitest'
import { hubProblems } from './hub-problems.ts'

const now = new Date('2026-11-16T12:00:00Z')
const beat = (secondsOff: number) => ({ ts: new Date(now.getTime() + secondsOff * 1_000).toISOString() })

test('a clock that is far from ours is a problem, either way', () => {
  expect(hubProblems(beat(-3), now)).toEqual([])
  expect(hubProblems(beat(29), now)).toEqual([])
  expect(hubProblems(beat(40), now)).toMatchObject([
    { reason: 'hub_clock_skew', message: expect.stringContaining('ahead') },
  ])
  expect(hubProblems(beat(-3_600), now)).toMatchObject([
    { reason: 'hub_clock_skew', message: expect.stringContaining('behind') },
  ])
})

test('the same skew is told in the same words by every heartbeat', () => {
  expect(hubProblems(beat(40), now)).toEqual(hubProblems(beat(47), now))
})

test('what the hub says of itself comes first, and a time that is none counts for nothing', () => {
  const problems = [{ reason: 'hub_storage_low', message: null }]
  expect(hubProblems({ ts: 'yesterday', problems }, now)).toEqual(problems)
  expect(hubProblems({ ...beat(90), problems }, now).map(({ reason }) => reason)).toEqual([
    'hub_storage_low',
    'hub_clock_skew',
  ])
})
