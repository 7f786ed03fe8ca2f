import { expect, test } from 'vitest'
import { isFromOwnPage, isFromThisMachine } from './own-origin.ts'

const plain = { publicUrl: undefined }
const ask = (host: string, headers: Record<string, string>, config: { publicUrl: string | undefined } = plain) =>
  isFromOwnPage(config, { host, headers })

test('an origin is our own when its host is the one that was asked for', () => {
  expect(ask('farm.local:4400', { origin: 'http://farm.local:4400' })).toBe(true)
  expect(ask('Farm.local:80', { origin: 'http://farm.local' })).toBe(true)
  expect(ask('[::1]:4400', { origin: 'http://[::1]:4400' })).toBe(true)
  // A proxy has ended TLS.
  expect(ask('farm.example', { origin: 'https://farm.example' })).toBe(true)
})

test('any other origin is foreign', () => {
  for (const origin of [
    'null',
    '',
    'http://farm.local',
    'http://farm.local:4401',
    'https://x.farm.local:4400',
    'ftp://farm.local:4400',
  ]) {
    expect(ask('farm.local:4400', { origin }), origin).toBe(false)
  }
  expect(ask('farm.local:4400', {})).toBe(false)
})

test('the configured address counts whatever host a proxy asks for', () => {
  const config = { publicUrl: 'https://farm.example' }
  expect(ask('inner:4400', { origin: 'https://farm.example' }, config)).toBe(true)
  expect(ask('inner:4400', { origin: 'http://farm.example' }, config)).toBe(false)
})

test('what the browser says of the site goes before the origin', () => {
  expect(ask('inner:4400', { 'sec-fetch-site': 'same-origin', origin: 'https://farm.example' })).toBe(true)
  for (const site of ['cross-site', 'same-site', 'none']) {
    expect(ask('farm.local', { 'sec-fetch-site': site, origin: 'http://farm.local' }), site).toBe(false)
  }
})

test('a person at this machine comes from it, asks for it, and through no proxy', () => {
  const here = { ip: '127.0.0.1', hostname: 'localhost', headers: {} }
  expect(isFromThisMachine(here)).toBe(true)
  expect(isFromThisMachine({ ...here, ip: '::ffff:127.0.0.1' })).toBe(true)
  expect(isFromThisMachine({ ...here, ip: '192.168.1.5' })).toBe(false)
  expect(isFromThisMachine({ ...here, hostname: 'elsewhere.example' })).toBe(false)
  expect(isFromThisMachine({ ...here, headers: { forwarded: 'for=1.2.3.4' } })).toBe(false)
})
