import { createPrivateKey, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { makePrinterCertificate } from './printer-certificate.ts'

test('a certificate names the serial, is signed by its own key, and holds today', async () => {
  const { key, cert } = await makePrinterCertificate('01P00A123456789')
  const certificate = new X509Certificate(cert)
  expect(certificate.subject).toBe('CN=01P00A123456789')
  expect(certificate.subjectAltName).toBeUndefined()
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true)
  expect(certificate.validFromDate.getTime()).toBeLessThan(Date.now())
  expect(certificate.validToDate.getTime()).toBeGreaterThan(Date.now())
})

test('two certificates of one serial are not the same', async () => {
  const [one, other] = await Promise.all([makePrinterCertificate('A'), makePrinterCertificate('A')])
  expect(one.cert).not.toBe(other.cert)
})
