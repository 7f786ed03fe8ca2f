import { describe, expect, test } from 'vitest'
import { createTargetPolicy } from './target-policy.ts'

const policy = createTargetPolicy()
const withLan = createTargetPolicy('192.168.0.0/16, 127.0.0.1, fd00:1::/32')

describe('addresses', () => {
  test.each([
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.10',
    '100.64.0.1',
    '169.254.169.254',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '198.18.0.1',
    '::',
    '::1',
    '::127.0.0.1',
    '4000::1',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    'fe80::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
  ])('%s is refused', (address) => {
    expect(policy.findAddressProblem(address, true)).toMatch(/not public/)
  })

  test.each(['93.184.216.34', '8.8.8.8', '2606:4700::6810:84e5'])('%s is public', (address) => {
    expect(policy.findAddressProblem(address, true)).toBeUndefined()
    expect(policy.findAddressProblem(address, false)).toMatch(/https/)
  })

  test('an operator may allow networks, and only those, with TLS or without', () => {
    expect(withLan.findAddressProblem('192.168.7.7', false)).toBeUndefined()
    expect(withLan.findAddressProblem('::ffff:192.168.7.7', true)).toBeUndefined()
    expect(withLan.findAddressProblem('fd00:1::9', true)).toBeUndefined()
    expect(withLan.findAddressProblem('127.0.0.1', false)).toBeUndefined()
    expect(withLan.findAddressProblem('127.0.0.2', true)).toMatch(/not public/)
    expect(withLan.findAddressProblem('10.0.0.1', true)).toMatch(/not public/)
    expect(withLan.findAddressProblem('169.254.169.254', true)).toMatch(/not public/)
  })

  test('what is no address is refused', () => {
    expect(policy.findAddressProblem('example.com', true)).toMatch(/not an IP address/)
  })
})

describe('URLs', () => {
  test.each([
    'http://127.0.0.1/',
    'https://127.0.0.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://[::1]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/latest/meta-data',
    'https://169.254.169.254/latest/meta-data',
    'https://192.168.1.1/',
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://user:word@example.com/',
    'https://example.com/#part',
    'https://example.com:25/',
    'https://example.com:22/',
    'example.com',
    '',
  ])('%s is refused', (url) => {
    expect(policy.findUrlProblem(url)).toEqual(expect.any(String))
  })

  test.each(['https://example.com/hooks?x=1', 'https://example.com:8443/', 'https://8.8.8.8/'])('%s is fine', (url) => {
    expect(policy.findUrlProblem(url)).toBeUndefined()
  })

  test('plain HTTP is possible once networks are allowed; public addresses stay out of its reach', () => {
    expect(withLan.findUrlProblem('http://192.168.1.1:8080/')).toBeUndefined()
    expect(withLan.findUrlProblem('http://erp.local/')).toBeUndefined()
    expect(withLan.findUrlProblem('http://8.8.8.8/')).toMatch(/https/)
  })
})
