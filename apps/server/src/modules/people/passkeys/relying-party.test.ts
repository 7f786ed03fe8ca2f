import { expect, test } from 'vitest'
import type { Context } from '../../../context/context.ts'
import { findRelyingParty } from './relying-party.ts'

const find = (publicUrl: string | undefined, host = 'localhost:4400', protocol: 'http' | 'https' = 'http') =>
  findRelyingParty({ config: { publicUrl } as Context['config'] }, { host, protocol })

test('passkeys are bound to the name of the public URL, whatever a request says', () => {
  expect(find('https://farm.example.com', 'evil.example.net', 'https')).toEqual({
    id: 'farm.example.com',
    origin: 'https://farm.example.com',
  })
  expect(find('https://farm.example.com:8443')).toEqual({
    id: 'farm.example.com',
    origin: 'https://farm.example.com:8443',
  })
})

test('without a public URL there are passkeys on this machine alone', () => {
  expect(find(undefined)).toEqual({ id: 'localhost', origin: 'http://localhost:4400' })
  for (const host of ['farm.lan:4400', '192.168.1.20:4400', '127.0.0.1:4400', '[::1]:4400', '%%']) {
    expect(find(undefined, host, 'https'), host).toBeUndefined()
  }
})

test('where browsers use no passkeys there are none', () => {
  for (const url of ['http://farm.lan', 'https://192.168.1.20', 'https://[::1]']) expect(find(url), url).toBeUndefined()
  expect(find('http://localhost:4400')?.id).toBe('localhost')
})
