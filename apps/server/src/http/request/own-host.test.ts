import { expect, test } from 'vitest'
import { isOwnHost } from './own-host.ts'

const bare = { publicUrl: undefined, allowedHosts: undefined }

test.each([
  'localhost',
  'localhost:4400',
  'LOCALHOST.',
  'app.localhost',
  '127.0.0.1:4400',
  '192.168.1.20',
  '[::1]:4400',
  '[fe80::1]',
  'printserver',
  'printserver:4400',
  'farm.local',
  'farm.local.:4400',
  'farm.home.arpa',
  'farm.corp.internal',
])('%s is a name of this service', (host) => {
  expect(isOwnHost(bare, host)).toBe(true)
})

test.each([
  'elsewhere.example',
  'elsewhere.example:4400',
  'localhost.elsewhere.example',
  'local.example',
  'notlocal.example.',
  '127.0.0.1.elsewhere.example',
  'localhost@elsewhere.example',
  'elsewhere.example/localhost',
  'two words',
  '',
])('"%s" is none', (host) => {
  expect(isOwnHost(bare, host)).toBe(false)
})

test('the public address and the names of the setting are names of it, whatever their case and port', () => {
  const config = { publicUrl: 'https://farm.example.com', allowedHosts: 'print.example.net, Old.Example.org' }
  for (const host of ['farm.example.com', 'FARM.example.com:443', 'print.example.net:4400', 'old.example.org.']) {
    expect(isOwnHost(config, host), host).toBe(true)
  }
  for (const host of ['example.com', 'x.farm.example.com', 'example.net']) expect(isOwnHost(config, host)).toBe(false)
})
