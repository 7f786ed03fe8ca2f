import { expect, test } from 'vitest'
import { createSealer, makeHubKey, openSealed, publicKeyForm, publicKeyOf } from './sealed-connection.ts'

const connection = { address: '192.0.2.4', access_code: 'the-secret-of-the-printer' }

test('what is sealed for a hub is opened by its private key alone', () => {
  const [own, other] = [makeHubKey(), makeHubKey()]
  expect(own.publicKey).toMatch(publicKeyForm)
  expect(publicKeyOf(own.privateKey)).toBe(own.publicKey)
  const seal = createSealer(own.publicKey)
  const sealed = seal(connection, 'prn_1')
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('the-secret')
  expect(seal(connection, 'prn_1')).not.toBe(sealed)
  expect(openSealed(own.privateKey, sealed, 'prn_1')).toEqual(connection)
  expect(() => openSealed(other.privateKey, sealed, 'prn_1')).toThrow()
})

test('what was sealed for one printer is not opened as that of another, nor when a bit of it was changed', () => {
  const { publicKey, privateKey } = makeHubKey()
  const sealed = createSealer(publicKey)(connection, 'prn_1')
  expect(() => openSealed(privateKey, sealed, 'prn_2')).toThrow()
  for (const at of [0, 40, 50, 70]) {
    const bytes = Buffer.from(sealed, 'base64url')
    bytes[at] = (bytes[at] ?? 0) ^ 1
    expect(() => openSealed(privateKey, bytes.toString('base64url'), 'prn_1'), String(at)).toThrow()
  }
  expect(() => openSealed(privateKey, '', 'prn_1')).toThrow()
})
