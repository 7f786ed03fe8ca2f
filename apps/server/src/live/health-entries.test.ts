import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blocksStarts, type HealthEntry, isSettled, needsPerson, observe, SETTLE_MS, settle } from './health-entries.ts'

const problem = (reason: string, message: string | null = null) => ({ reason, message })
const entry = (reason: string, sinceMs = 0): HealthEntry => ({
  ...problem(reason),
  since: new Date(sinceMs).toISOString(),
})
const reasons = (entries: readonly HealthEntry[]) => entries.map(({ reason }) => reason)

describe('a problem', () => {
  test('is kept once it has lasted, with the time when it began', () => {
    const seen = observe(observe(undefined, [problem('storage_full')], 1_000), [problem('storage_full')], 5_000)
    expect(settle([], seen, 1_000 + SETTLE_MS - 1)).toEqual([])
    expect(settle([], seen, 1_000 + SETTLE_MS)).toEqual([entry('storage_full', 1_000)])
  })

  test('is kept with the certificate that it is about, and with another one once that is shown', () => {
    const shown = (digit: string) => ({ ...problem('certificate_changed'), certificate_fingerprint: digit.repeat(64) })
    const first = observe(undefined, [shown('A')], 0)
    const kept = settle([], first, SETTLE_MS)
    expect(kept).toEqual([{ ...entry('certificate_changed'), certificate_fingerprint: 'A'.repeat(64) }])
    const second = observe(first, [shown('B')], SETTLE_MS)
    expect(isSettled(kept, second)).toBe(false)
    const next = settle(kept, second, SETTLE_MS)
    expect(next).toEqual([{ ...entry('certificate_changed'), certificate_fingerprint: 'B'.repeat(64) }])
    expect(isSettled(next, second)).toBe(true)
    const older = observe(second, [problem('certificate_changed')], 2 * SETTLE_MS)
    expect(settle(next, older, 2 * SETTLE_MS)).toEqual([entry('certificate_changed')])
  })

  test('that comes and goes faster than it would count is never kept', () => {
    let seen = observe(undefined, [], 0)
    for (let at = 1_000; at < 10 * SETTLE_MS; at += SETTLE_MS / 2) {
      seen = observe(seen, (at / 500) % 2 === 0 ? [] : [problem('credentials_wrong')], at)
      seen = observe(seen, seen.sights.get('credentials_wrong')?.isThere ? [] : [problem('credentials_wrong')], at + 1)
      expect(settle([], seen, at + 2)).toEqual([])
    }
  })

  test('is over once it was gone for long enough', () => {
    const seen = observe(observe(undefined, [problem('storage_full')], 0), [], 50_000)
    expect(reasons(settle([entry('storage_full')], seen, 50_000 + SETTLE_MS - 1))).toEqual(['storage_full'])
    expect(settle([entry('storage_full')], seen, 50_000 + SETTLE_MS)).toEqual([])
  })

  test('that was kept before a restart and is not seen any more goes as well', () => {
    const seen = observe(undefined, [], 7_000)
    expect(settle([entry('developer_mode_off')], seen, 7_000 + SETTLE_MS)).toEqual([])
  })

  test('is not taken for fixed because the printer is out of reach', () => {
    const seen = observe(observe(undefined, [problem('developer_mode_off')], 0), [problem('unreachable')], 1_000)
    const kept = settle([entry('developer_mode_off')], seen, 90_000)
    expect(reasons(kept)).toEqual(['developer_mode_off', 'unreachable'])
    const back = observe(seen, [], 100_000)
    expect(settle(kept, back, 100_000 + SETTLE_MS)).toEqual([])
  })
})

test('a printer that is switched off is work for no one; one that refuses the hub is', () => {
  expect(needsPerson(problem('unreachable'))).toBe(false)
  expect(needsPerson(problem('credentials_wrong'))).toBe(true)
  expect(needsPerson(problem('a reason of a newer hub'))).toBe(false)
})

test('a storage that was found full blocks nothing: only the next file can show that it has room again', () => {
  expect(blocksStarts(problem('storage_full'))).toBe(false)
  expect(blocksStarts(problem('developer_mode_off'))).toBe(true)
  expect(blocksStarts(problem('print_error'))).toBe(false)
  expect(needsPerson(problem('print_error'))).toBe(false)
})

test('whatever is reported, what is kept holds each reason once and comes to rest', () => {
  const reason = fc.constantFrom('unreachable', 'storage_full', 'developer_mode_off', 'from the future')
  const report = fc.uniqueArray(fc.record({ reason, message: fc.option(fc.string({ maxLength: 5 }), { nil: null }) }), {
    selector: (reported) => reported.reason,
    maxLength: 4,
  })
  fc.assert(
    fc.property(fc.array(fc.tuple(report, fc.nat(40_000)), { minLength: 1, maxLength: 12 }), (steps) => {
      let now = 0
      let seen = observe(undefined, [], 0)
      let kept: HealthEntry[] = []
      for (const [problems, waitMs] of steps) {
        seen = observe(seen, problems, now)
        now += waitMs
        kept = settle(kept, seen, now)
        expect(new Set(reasons(kept)).size).toBe(kept.length)
      }
      const rest = settle(settle(kept, seen, now + SETTLE_MS), seen, now + 2 * SETTLE_MS)
      expect(settle(rest, seen, now + 3 * SETTLE_MS)).toEqual(rest)
      if (!seen.sights.get('unreachable')?.isThere) expect(isSettled(rest, seen)).toBe(true)
    }),
  )
})
