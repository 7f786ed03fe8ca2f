import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { hashSecret } from '../../../kernel/hash-secret.ts'
import { newId } from '../../../kernel/ids.ts'
import type { KeyForRequest } from '../api-keys/api-keys.queries.ts'
import { rememberLastHash, shareWithinTurn } from './authentication.ts'

const key: KeyForRequest = {
  account_id: newId('account'),
  id: newId('apiKey'),
  scopes: ['read'],
  expires_at: null,
  revoked_at: null,
  printer_mark: '',
}

test('requests that arrive together share one lookup, by key', async () => {
  const asked: string[] = []
  const find = shareWithinTurn(async (token) => {
    asked.push(token)
    return token === 'known' ? key : undefined
  })
  expect(await Promise.all(['known', 'other', 'known', 'known'].map(find))).toEqual([key, undefined, key, key])
  expect(asked).toEqual(['known', 'other'])
})

test('a request is never answered by a lookup that was sent before it arrived', async () => {
  let isRevoked = false
  const answers: (() => void)[] = []
  const find = shareWithinTurn((_token): Promise<typeof key | undefined> => {
    // What the database says is fixed when it reads, however late the answer comes.
    const found = isRevoked ? { ...key, revoked_at: new Date(0) } : key
    return new Promise((resolve) => answers.push(() => resolve(found)))
  })
  const before = find('known')
  await nextTurn()
  isRevoked = true
  const after = find('known')
  await nextTurn()
  for (const answer of answers) answer()
  expect((await before)?.revoked_at).toBeNull()
  expect((await after)?.revoked_at).toEqual(new Date(0))
})

test('a failed lookup fails all who shared it, and no one after them', async () => {
  let lookups = 0
  const find = shareWithinTurn(async () => {
    lookups += 1
    if (lookups === 1) throw new Error('away')
    return key
  })
  const [one, other] = await Promise.allSettled([find('known'), find('known')])
  expect([one.status, other.status]).toEqual(['rejected', 'rejected'])
  expect(await find('known')).toEqual(key)
})

test('a connection that brings one key and then another is known by the one that it brings', () => {
  const hashOf = rememberLastHash()
  const [one, other] = ['a', 'b'].map((digit) => `printyard_live_${digit.repeat(64)}`) as [string, string]
  const [socket, elsewhere] = [{}, {}]
  const asked = [one, one, other, one].map((token) => hashOf(`Bearer ${token}`, socket))
  expect(asked).toEqual([one, one, other, one].map((token) => hashSecret(token).toString('base64')))
  expect(hashOf(`Bearer ${other}`, elsewhere)).toBe(hashSecret(other).toString('base64'))
  expect(hashOf('Bearer something', socket)).toBeUndefined()
})
