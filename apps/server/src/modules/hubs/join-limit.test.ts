import { expect, test } from 'vitest'
import { makeJoinLimiter } from './join-limit.ts'

test('a client that guesses is refused, others are not', async () => {
  const countTry = makeJoinLimiter()
  for (let tries = 0; tries < 10; tries++) await countTry('192.0.2.1')
  await expect(countTry('192.0.2.1')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  await expect(countTry('192.0.2.2')).resolves.toBeUndefined()
})
