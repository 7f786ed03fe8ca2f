import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '../../../kernel/clock.ts'
import { startTestProvider, type TestProvider } from '../../../test/services/test-provider.ts'
import { makeOidcProvider } from './provider.ts'

const redirectUri = 'http://127.0.0.1/app/v1/oidc/callback'
const person = { sub: 'ann', email: 'ann@example.com', email_verified: true }

let there: TestProvider
let provider: NonNullable<ReturnType<typeof makeOidcProvider>>
beforeEach(async () => {
  // The library that keeps the keys has the clock of the machine.
  vi.useFakeTimers({ toFake: ['Date'] })
  there = await startTestProvider()
  const config = { oidcIssuer: there.issuer, oidcClientId: there.clientId, oidcClientSecret: there.clientSecret }
  const made = makeOidcProvider({ config, log: pino({ level: 'silent' }), clock: systemClock })
  if (!made) throw new Error('there is no provider')
  provider = made
})
afterEach(async () => {
  vi.useRealTimers()
  await there.close()
})

async function signIn() {
  const { url, started } = await provider.begin(redirectUri)
  return provider.end(there.signIn(url, person).search.slice(1), started)
}
const signInAtOnce = (times: number) => Promise.allSettled(Array.from({ length: times }, signIn))
const countOf = async (outcomes: ReturnType<typeof signInAtOnce>) =>
  (await outcomes).filter(({ status }) => status === 'fulfilled').length
const passes = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000)

test('a key that the provider has changed is taken after a minute at most, and asked for once by all who sign in', async () => {
  await signIn()
  expect(there.asked).toEqual({ keys: 1, itself: 1 })
  there.changeKey()
  expect(await countOf(signInAtOnce(3))).toBe(0)
  expect(there.asked.keys).toBe(1)
  passes(60)
  expect(await countOf(signInAtOnce(5))).toBe(5)
  expect(there.asked.keys).toBe(2)
})

test('tokens by a key that is not listed are refused, and have the list read once a minute', async () => {
  await signIn()
  there.behaviour = 'unlisted_key'
  passes(60)
  expect(await countOf(signInAtOnce(5))).toBe(0)
  expect(await countOf(signInAtOnce(5))).toBe(0)
  expect(there.asked.keys).toBe(2)
  passes(60)
  expect(await countOf(signInAtOnce(5))).toBe(0)
  expect(there.asked.keys).toBe(3)
})

test('a key that the provider lists no more is refused after five minutes', async () => {
  await signIn()
  passes(300)
  await signIn()
  expect(there.asked.keys).toBe(2)
})

test('what the provider says of itself counts for an hour, and what it said last while it does not answer', async () => {
  await signIn()
  there.tokenPath = '/other/token'
  await expect(signIn()).rejects.toMatchObject({ problem: 'oidc_refused' })
  expect(there.asked.itself).toBe(1)
  passes(3_600)
  expect(await countOf(signInAtOnce(3))).toBe(3)
  expect(there.asked.itself).toBe(2)
  passes(3_600)
  there.isDown = true
  const { url } = await provider.begin(redirectUri)
  expect(url.startsWith(`${there.issuer}/authorize`)).toBe(true)
  there.isDown = false
  passes(60)
  await signIn()
  expect(there.asked.itself).toBe(3)
})
