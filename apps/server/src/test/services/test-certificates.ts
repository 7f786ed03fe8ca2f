import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PairFiles } from '../../tls/certificate-pair.ts'
import { permittedNames } from '../../tls/local-names.ts'
import { type MadeCertificate, makeAuthority, makeServerCertificate } from '../../tls/make-certificate.ts'

const dayMs = 24 * 3_600_000

/** A local authority, for the machine of the tests alone. */
export function makeTestAuthority(now = new Date()): Promise<MadeCertificate> {
  return makeAuthority({ name: 'Authority of a test', dnsNames: permittedNames([]) }, now)
}

/** A certificate of this machine; with `daysLeft` one that was made long ago. */
export function makeTestCertificate(authority: MadeCertificate, { daysLeft = 820 } = {}): Promise<MadeCertificate> {
  const madeAt = new Date(Date.now() - (820 - daysLeft) * dayMs)
  return makeServerCertificate(authority, ['localhost', '127.0.0.1', '::1'], madeAt)
}

/** Writes a pair where a service reads it, the key for its owner alone. */
export function writePair(folder: string, { cert, key }: MadeCertificate): PairFiles {
  mkdirSync(folder, { recursive: true })
  const files = { certFile: join(folder, 'server.crt'), keyFile: join(folder, 'server.key') }
  writeFileSync(files.keyFile, key, { mode: 0o600 })
  writeFileSync(files.certFile, cert)
  return files
}
