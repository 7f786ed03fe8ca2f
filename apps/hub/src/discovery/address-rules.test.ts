import { describe, expect, test } from 'vitest'
import { isLocalAddress, resolveTyped } from './address-rules.ts'

test.each([
  '127.0.0.1',
  '10.20.30.40',
  '172.31.255.1',
  '192.168.1.7',
  '169.254.10.1',
  '100.100.1.1',
  '::1',
  'fd12::1',
  'fe80::1%eth0',
  '::ffff:192.168.1.7',
])('%s is local', (ip) => expect(isLocalAddress(ip)).toBe(true))

test.each([
  '8.8.8.8',
  '172.32.0.1',
  '0.0.0.0',
  '255.255.255.255',
  '224.0.0.251',
  '169.254.169.254',
  'fd00:ec2::254',
  '2001:db8::1',
  '::ffff:8.8.8.8',
  '::',
  'printer.local',
])('%s is not looked at', (ip) => expect(isLocalAddress(ip)).toBe(false))

describe('what a person typed', () => {
  const resolve = (address: string, allowsPublic = false) => resolveTyped({ address }, { allowsPublic })
  const reason = (address: string) => resolve(address).catch((error) => error.problem?.reason)

  test('is an address with or without a port or a path', async () => {
    expect(await resolve('192.168.1.7')).toEqual({ ip: '192.168.1.7', host: '192.168.1.7', port: undefined })
    expect(await resolve(' 192.168.1.7:5000 ')).toMatchObject({ port: 5000 })
    expect(await resolve('http://[::1]:7125/x')).toMatchObject({ ip: '::1', port: 7125 })
    expect(await resolve('https://192.168.1.7/octoprint')).toMatchObject({ port: 443 })
  })

  test('may write an address in a way that hides it, and is refused anyway', async () => {
    for (const hidden of ['http://0x08080808/', '134744072', '8.8', 'http://user@8.8.8.8', '[::ffff:808:808]']) {
      expect(await reason(hidden), hidden).toBe('address_not_allowed')
    }
    expect(await reason('2852039166')).toBe('address_not_allowed')
  })

  test('is refused when it means nothing', async () => {
    for (const nothing of ['', '   ', 'http://[', 'a b c', 'http://'])
      expect(await reason(nothing)).toBe('address_invalid')
  })

  test('may be anywhere when the operator says so', async () => {
    expect(await resolve('8.8.8.8', true)).toMatchObject({ ip: '8.8.8.8' })
  })
})
