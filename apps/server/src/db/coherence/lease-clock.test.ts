import { expect, test } from 'vitest'
import { LeaseClock, leaseMs } from './lease-clock.ts'

function buildLease() {
  const now = { steadyMs: 10_000, wallMs: 1_000_000 }
  const lease = new LeaseClock(() => ({ ...now }))
  const pass = (steadyMs: number, wallMs = steadyMs) => {
    now.steadyMs += steadyMs
    now.wallMs += wallMs
  }
  return { lease, pass, moment: () => ({ ...now }) }
}

test('a lease counts from when its proof was asked for, not from when it arrived', () => {
  const { lease, pass, moment } = buildLease()
  expect(lease.isLive).toBe(false)
  const askedAt = moment()
  pass(leaseMs - 1)
  lease.extend(askedAt)
  expect(lease.isLive).toBe(true)
  pass(1)
  expect(lease.isLive).toBe(false)
})

test('a proof that arrives after its time is over proves nothing', () => {
  const { lease, pass, moment } = buildLease()
  const askedAt = moment()
  pass(leaseMs)
  lease.extend(askedAt)
  expect(lease.isLive).toBe(false)
})

test('a machine that slept has no lease when it wakes, though its steady clock stood still', () => {
  const { lease, pass, moment } = buildLease()
  lease.extend(moment())
  pass(10, 3_600_000)
  expect(lease.isLive).toBe(false)
})

test('a lease is over by the steady clock, also when the other one was set back', () => {
  const { lease, pass, moment } = buildLease()
  lease.extend(moment())
  pass(leaseMs, 5)
  expect(lease.isLive).toBe(false)
  lease.extend(moment())
  expect(lease.isLive).toBe(true)
  pass(10, -3_600_000)
  expect(lease.isLive).toBe(false)
})

test('what was ended is over at once', () => {
  const { lease, moment } = buildLease()
  lease.extend(moment())
  lease.end()
  expect(lease.isLive).toBe(false)
})
