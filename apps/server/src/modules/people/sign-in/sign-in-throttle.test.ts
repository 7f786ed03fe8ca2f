import { expect, test } from 'vitest'
import { ownLimits } from '../../../limits/limits.ts'
import { createSignInThrottle, type SignInThrottle } from './sign-in-throttle.ts'

async function guessWrong(throttle: SignInThrottle, times: number, email: string, address: string): Promise<void> {
  for (let guess = 0; guess < times; guess += 1) await throttle.begin(email, address)
}

const refused = { code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) }

test('after ten wrong guesses one network can guess no more for this person, but for others, and others can', async () => {
  const throttle = createSignInThrottle({ limits: ownLimits })
  await guessWrong(throttle, 10, 'A@example.com', '192.0.2.1')
  await expect(throttle.begin(' a@EXAMPLE.com', '192.0.2.1')).rejects.toMatchObject(refused)
  await throttle.begin('b@example.com', '192.0.2.1')
  await throttle.begin('a@example.com', '192.0.2.2')
})

test('addresses of one IPv6 network count as one', async () => {
  const throttle = createSignInThrottle({ limits: ownLimits })
  for (let host = 0; host < 10; host += 1) await throttle.begin('a@example.com', `2001:db8:1:2::${host}`)
  await expect(throttle.begin('a@example.com', '2001:db8:1:2:ffff::1')).rejects.toMatchObject(refused)
  await throttle.begin('a@example.com', '2001:db8:1:3::1')
})

test('many networks together have fifty guesses for one person', async () => {
  const throttle = createSignInThrottle({ limits: ownLimits })
  for (let network = 0; network < 5; network += 1) {
    await guessWrong(throttle, 10, 'a@example.com', `192.0.2.${network}`)
  }
  await expect(throttle.begin('a@example.com', '192.0.2.99')).rejects.toMatchObject(refused)
})

test('where a person is known to sign in from, guesses from elsewhere do not count, and those from there still do', async () => {
  const throttle = createSignInThrottle({ limits: ownLimits })
  for (let network = 0; network < 5; network += 1) {
    await guessWrong(throttle, 10, 'a@example.com', `192.0.2.${network}`)
  }
  const known = () => throttle.begin('a@example.com', '198.51.100.1', { isKnownNetwork: async () => true })
  for (let guess = 0; guess < 10; guess += 1) await known()
  await expect(known()).rejects.toMatchObject(refused)
  await expect(throttle.begin('a@example.com', '192.0.2.99')).rejects.toMatchObject(refused)
})

test('one network has a hundred guesses for all people', async () => {
  const throttle = createSignInThrottle({ limits: ownLimits })
  for (let person = 0; person < 100; person += 1) await throttle.begin(`${person}@example.com`, '192.0.2.1')
  await expect(throttle.begin('new@example.com', '192.0.2.1')).rejects.toMatchObject(refused)
  // Refused tries have used up nothing of what the person has from elsewhere.
  await throttle.begin('new@example.com', '192.0.2.2')
})

test('guesses sent at once are counted before any is answered', async () => {
  const throttle = createSignInThrottle({ limits: ownLimits })
  const tries = await Promise.allSettled(Array.from({ length: 30 }, () => throttle.begin('a@example.com', '192.0.2.1')))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
})

test('a right one makes up for the wrong ones before it, and one that was no guess counts for nothing', async () => {
  const throttle = createSignInThrottle({ limits: ownLimits })
  await guessWrong(throttle, 9, 'a@example.com', '192.0.2.1')
  const right = await throttle.begin('a@example.com', '192.0.2.1')
  await right.wasRight()
  for (let guess = 0; guess < 30; guess += 1) await (await throttle.begin('a@example.com', '192.0.2.1')).isNone()
  await guessWrong(throttle, 10, 'a@example.com', '192.0.2.1')
  await expect(throttle.begin('a@example.com', '192.0.2.1')).rejects.toMatchObject(refused)
})

test('networks of one IPv6 site have twenty guesses for one person, and two hundred for all people', async () => {
  const throttle = createSignInThrottle({ limits: ownLimits })
  const address = (network: number, site = 1) => `2001:db8:${site}:${network.toString(16)}::1`
  for (let network = 0; network < 20; network += 1) await throttle.begin('a@example.com', address(network))
  await expect(throttle.begin('a@example.com', address(99))).rejects.toMatchObject(refused)
  await throttle.begin('a@example.com', address(99, 2))
  for (let person = 0; person < 180; person += 1) await throttle.begin(`${person}@example.com`, address(person))
  await expect(throttle.begin('new@example.com', address(250))).rejects.toMatchObject(refused)
  await throttle.begin('new@example.com', address(250, 2))
})

test('in a browser where the person has signed in before, guesses of others count for nothing, and those there do', async () => {
  const throttle = createSignInThrottle({ limits: ownLimits })
  for (let stranger = 0; stranger < 260; stranger += 1) {
    await throttle.begin('a@example.com', `192.0.${stranger >> 8}.${stranger & 255}`).catch(() => undefined)
  }
  // A colleague at the same address.
  await guessWrong(throttle, 10, 'a@example.com', '198.51.100.1').catch(() => undefined)
  const begin = (deviceId: string) => throttle.begin('a@example.com', '198.51.100.1', { deviceId })
  await expect(throttle.begin('a@example.com', '198.51.100.1')).rejects.toMatchObject(refused)
  for (let guess = 0; guess < 10; guess += 1) await begin('known')
  await expect(begin('known')).rejects.toMatchObject(refused)
  await begin('another')
})

test('whether a network is known is asked only when others have used up what the person has', async () => {
  const throttle = createSignInThrottle({ limits: ownLimits })
  let asked = 0
  const isKnownNetwork = async () => {
    asked += 1
    return true
  }
  for (let guess = 0; guess < 50; guess += 1) {
    await throttle.begin('a@example.com', `192.0.2.${guess}`, { isKnownNetwork })
  }
  expect(asked).toBe(0)
  await throttle.begin('a@example.com', '192.0.2.99', { isKnownNetwork })
  expect(asked).toBe(1)
})
