import { expect, test } from 'vitest'
import { ownLimits } from '../../limits/limits.ts'
import { makeJoinLimiter } from './join-limit.ts'

test('a client that guesses is refused, others are not', async () => {
  const countTry = makeJoinLimiter(ownLimits)
  for (let tries = 0; tries < 10; tries++) await countTry('192.0.2.1')
  await expect(countTry('192.0.2.1')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  await expect(countTry('192.0.2.2')).resolves.toBeUndefined()
})
