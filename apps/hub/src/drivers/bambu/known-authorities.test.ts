import { X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makePrinterCertificate } from '@printyard/virtual-printers/bambu/printer-certificate'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { knownAuthorities } from './known-authorities.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'printyard-authorities-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

test('the bundled authorities are whole: each is signed by itself or by another of them', () => {
  const authorities = knownAuthorities(dataDir).map((pem) => new X509Certificate(pem))
  expect(authorities).toHaveLength(6)
  for (const one of authorities) {
    const issuer = authorities.find((other) => other.subject === one.issuer)
    expect(issuer && one.verify(issuer.publicKey), one.subject).toBe(true)
    expect(one.ca).toBe(true)
    expect(one.subject).toContain('O=BBL Technologies')
  }
})

test('an operator adds authorities as files of the data directory', async () => {
  const { cert } = await makePrinterCertificate('An authority of the farm')
  mkdirSync(join(dataDir, 'printer-authorities'))
  writeFileSync(join(dataDir, 'printer-authorities', 'farm.pem'), `a remark\n${cert}`)
  writeFileSync(join(dataDir, 'printer-authorities', 'notes.txt'), cert)
  expect(knownAuthorities(dataDir)).toHaveLength(7)
  expect(knownAuthorities(dataDir).at(-1)).toBe(cert.trim())
})
