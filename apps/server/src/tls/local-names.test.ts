import type { NetworkInterfaceInfo } from 'node:os'
import { expect, test } from 'vitest'
import { reachableHost } from '../http/pages/certificate-page.ts'
import { isLocalAddress, namesOfMachine, permittedNames, permittedNetworks, readHost } from './local-names.ts'

const at = (address: string, more: Partial<NetworkInterfaceInfo> = {}) =>
  ({ address, internal: false, ...more }) as NetworkInterfaceInfo

test('a machine is known by its name, its name of mDNS and its addresses in local networks', () => {
  const names = namesOfMachine({
    hostname: 'Farm.example.com',
    interfaces: {
      lo: [at('127.0.0.1', { internal: true })],
      eth0: [at('192.168.1.20'), at('2001:db8::1'), at('fe80::1', { scopeid: 2 } as Partial<NetworkInterfaceInfo>)],
      wlan0: [at('fd00::20'), at('203.0.113.5')],
    },
  })
  // Neither an address of the internet nor one that is good on its own cable alone.
  expect(names).toEqual([
    'farm.local',
    'farm',
    'farm.example.com',
    'localhost',
    '192.168.1.20',
    'fd00::20',
    '127.0.0.1',
    '::1',
  ])
})

test.each([
  ['Farm.LAN', 'farm.lan'],
  [' 192.168.1.20 ', '192.168.1.20'],
  ['[FD00:0:0::20]', 'fd00::20'],
  ['*.example.com', undefined],
  ['https://farm.lan', undefined],
  ['farm.lan:4400', undefined],
  ['-farm', undefined],
  ['', undefined],
])('%j is the host %j', (text, host) => expect(readHost(text)).toBe(host))

test('local addresses are those that no one has on the internet', () => {
  for (const host of ['10.1.2.3', '172.31.0.1', '192.168.0.1', '100.100.1.1', '169.254.1.1', 'fd12::1', '::1']) {
    expect([host, isLocalAddress(host)]).toEqual([host, true])
  }
  for (const host of ['172.32.0.1', '8.8.8.8', '100.128.0.1', '2001:db8::1', 'farm.lan']) {
    expect([host, isLocalAddress(host)]).toEqual([host, false])
  }
  const [loopback] = permittedNetworks
  expect([[...(loopback?.address ?? [])], [...(loopback?.mask ?? [])]]).toEqual([
    [127, 0, 0, 0],
    [255, 0, 0, 0],
  ])
})

test('an authority may vouch for local names, and of others for those that it was made for', () => {
  expect(permittedNames(['farm.local', 'farm', '10.0.0.1', 'farm.example.com'])).toEqual([
    'local',
    'lan',
    'internal',
    'home.arpa',
    'localhost',
    'farm',
    'farm.example.com',
  ])
})

test('the code of the page leads a phone to an address that it reaches', () => {
  const names = ['farm.local', 'localhost', '192.168.1.20', '127.0.0.1']
  expect(reachableHost('localhost:4400', names)).toBe('192.168.1.20:4400')
  expect(reachableHost('[::1]:4400', names)).toBe('192.168.1.20:4400')
  expect(reachableHost('127.0.0.1', ['localhost', 'fd00::20'])).toBe('[fd00::20]')
  expect(reachableHost('farm.local:4400', names)).toBe('farm.local:4400')
  expect(reachableHost('localhost:4400', ['localhost'])).toBe('localhost:4400')
})
