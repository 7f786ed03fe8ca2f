import { expect, test } from 'vitest'
import { clientNetwork, clientSite } from './client-network.ts'

test('addresses of one IPv6 network are one client, however they are written', () => {
  const network = '2001:db8:0:7'
  expect(clientNetwork('2001:db8:0:7:1:2:3:4')).toBe(network)
  expect(clientNetwork('2001:DB8:0:7::9')).toBe(network)
  expect(clientNetwork('2001:0db8::7:0:0:0:1')).toBe(network)
  expect(clientNetwork('2001:db8::1')).toBe('2001:db8:0:0')
  expect(clientNetwork('2001:db8::2')).toBe('2001:db8:0:0')
  expect(clientNetwork('fe80::1%eth0')).toBe('fe80:0:0:0')
  expect(clientNetwork('::1')).toBe('0:0:0:0')
  expect(clientNetwork('64:ff9b::192.0.2.1')).toBe('64:ff9b:0:0')
})

test('an IPv4 address is a client of its own, also inside IPv6', () => {
  expect(clientNetwork('192.0.2.1')).toBe('192.0.2.1')
  expect(clientNetwork('::ffff:192.0.2.1')).toBe('192.0.2.1')
})

test('networks that one customer may have together are one site, and an IPv4 address is of none', () => {
  for (const address of ['2001:db8:1:7:1:2:3:4', '2001:DB8:1::9', '2001:0db8:1:ffff::']) {
    expect(clientSite(address), address).toBe('2001:db8:1')
  }
  expect(clientSite('2001:db8:2::1')).toBe('2001:db8:2')
  for (const address of ['192.0.2.1', '::ffff:192.0.2.1', 'a@example.com']) expect(clientSite(address)).toBeUndefined()
})
