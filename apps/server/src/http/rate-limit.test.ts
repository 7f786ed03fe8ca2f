import { expect, test } from 'vitest'
import { ownLimits } from '../limits/limits.ts'
import { makeTryLimiter } from './rate-limit.ts'

const refused = { code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) }

test('an address has its tries, and other addresses have theirs', async () => {
  const count = makeTryLimiter(ownLimits, 'test', 2)
  await count('192.0.2.1')
  await count('192.0.2.1')
  await expect(count('192.0.2.1')).rejects.toMatchObject(refused)
  await count('192.0.2.2')
})

test('the networks of one IPv6 site have as many tries as four of them, and other sites have theirs', async () => {
  const count = makeTryLimiter(ownLimits, 'test', 2)
  for (let network = 0; network < 8; network += 1) await count(`2001:db8:1:${network}::1`)
  await expect(count('2001:db8:1:99::1')).rejects.toMatchObject(refused)
  await count('2001:db8:2:99::1')
})

test('what is no address of a client is counted by itself', async () => {
  const count = makeTryLimiter(ownLimits, 'test', 1)
  await count('a@example.com')
  await expect(count('a@example.com')).rejects.toMatchObject(refused)
  await count('b@example.com')
})
