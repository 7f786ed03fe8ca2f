import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ConfigError } from '../kernel/config.ts'
import { concernOf } from '../modules/certificate/certificate.service.ts'
import { temporaryDirectory } from '../test/run/temporary-directory.ts'
import { makeTestAuthority, makeTestCertificate, writePair } from '../test/services/test-certificates.ts'
import { namesOf, readPair } from './certificate-pair.ts'
import type { MadeCertificate } from './make-certificate.ts'
import { ServedCertificate } from './served-certificate.ts'

let authority: MadeCertificate
let one: MadeCertificate
let two: MadeCertificate
beforeAll(async () => {
  authority = await makeTestAuthority()
  one = await makeTestCertificate(authority)
  two = await makeTestCertificate(authority)
})

function quiet() {
  const lines: string[] = []
  const note = (_details: object, message: string) => void lines.push(message)
  return { lines, log: { info: note, warn: note, error: note } }
}

test('a whole pair tells its names, its end and its authority', () => {
  const pair = readPair(writePair(temporaryDirectory(), one))
  expect(namesOf(pair.leaf)).toEqual(['localhost', '127.0.0.1', '0:0:0:0:0:0:0:1'])
  expect(pair.endsAt).toEqual(pair.leaf.validToDate)
  expect(pair.authority?.fingerprint256).toBe(new X509Certificate(authority.cert).fingerprint256)
})

test('the end is that of the certificate in the chain that ends first', async () => {
  // An authority that was made almost ten years ago, behind a certificate that was to outlive it.
  const old = await makeTestAuthority(new Date(Date.now() - 3_640 * 86_400_000))
  const { cert } = await makeTestCertificate(authority)
  const { key } = one
  const [leaf = ''] = one.cert.split(/(?<=-----END CERTIFICATE-----)/)
  const pair = readPair(writePair(temporaryDirectory(), { cert: `${leaf}\n${old.cert}`, key }))
  expect(cert).not.toBe(one.cert)
  expect(pair.endsAt).toEqual(new X509Certificate(old.cert).validToDate)
  expect(pair.leaf.validToDate > pair.endsAt).toBe(true)
})

test.each([
  [
    'the key of another certificate',
    () => ({ ...one, key: two.key }),
    'is not the private key of the first certificate',
  ],
  ['a certificate that is cut short', () => ({ ...one, cert: one.cert.slice(0, 300) }), 'is cut short'],
  ['a chain that is cut short behind the first', () => ({ ...one, cert: one.cert.slice(0, -40) }), 'is cut short'],
  ['an empty certificate', () => ({ ...one, cert: '' }), 'holds no certificate'],
  ['a key that is cut short', () => ({ ...one, key: one.key.slice(0, 60) }), 'holds no private key'],
  ['a damaged certificate', () => ({ ...one, cert: one.cert.replace('MII', 'AII') }), 'holds a damaged certificate'],
  [
    'a key in the place of the certificate',
    () => ({ ...one, cert: one.key }),
    'holds something else than certificates',
  ],
  [
    'an encrypted key',
    () => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const key = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }).toString()
      return { ...one, key }
    },
    'is encrypted',
  ],
])('%s is refused with the reason', (_what, make, reason) => {
  const files = writePair(temporaryDirectory(), make())
  expect(() => readPair(files)).toThrow(reason)
  expect(() => new ServedCertificate(files, quiet().log)).toThrow(ConfigError)
})

test('a service refuses to start without the files, and names the setting', () => {
  const folder = temporaryDirectory()
  const files = writePair(folder, one)
  expect(() => new ServedCertificate({ ...files, keyFile: join(folder, 'gone') }, quiet().log)).toThrow(
    /PRINTYARD_TLS_KEY_FILE.*gone cannot be read \(ENOENT\)/s,
  )
})

test('another pair counts once two looks have found the same; until then, and while it is bad, the former one stays', () => {
  const folder = temporaryDirectory()
  const { lines, log } = quiet()
  const files = writePair(folder, one)
  const served = new ServedCertificate(files, log)
  const changes: string[] = []
  served.onChange(({ cert }) => changes.push(cert))
  const now = () => served.pair.cert

  writeFileSync(files.certFile, two.cert)
  served.look()
  served.look()
  expect(now()).toBe(one.cert)
  expect(served.problem).toContain('is not the private key')
  // Told once, however often it is looked at.
  for (let count = 0; count < 5; count += 1) served.look()
  expect(lines).toEqual(['the new certificate cannot be used; the former one is kept'])

  writeFileSync(files.keyFile, two.key)
  served.look()
  expect([now(), changes.length]).toEqual([one.cert, 0])
  served.look()
  expect([now(), changes]).toEqual([two.cert, [two.cert]])
  expect(served.problem).toBeUndefined()
  for (let count = 0; count < 5; count += 1) served.look()
  expect(changes.length).toBe(1)
})

test('what a person has to do follows from the end and from files that cannot be used', () => {
  const now = new Date('2026-08-01T12:00:00Z')
  const inDays = (days: number) =>
    ({ endsAt: new Date(now.getTime() + days * 86_400_000) }) as ServedCertificate['pair']
  expect(concernOf(undefined, now)).toBeUndefined()
  expect(concernOf({ pair: inDays(14.1), problem: undefined }, now)).toBeUndefined()
  expect(concernOf({ pair: inDays(13.9), problem: undefined }, now)?.title).toBe('The certificate ends on 2026-08-15')
  expect(concernOf({ pair: inDays(-1), problem: undefined }, now)?.title).toBe(
    'The certificate has ended on 2026-07-31',
  )
  expect(concernOf({ pair: inDays(100), problem: 'x.key is cut short' }, now)).toMatchObject({
    title: 'The new certificate cannot be used',
    description: expect.stringContaining('x.key is cut short'),
  })
})
