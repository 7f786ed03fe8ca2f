import { expect, test } from 'vitest'
import { mayGoUnencrypted, mustEncrypt } from './mail-encryption.ts'

test.each([
  ['smtp://mail.example.com:587', 'off', { must: true, may: false }],
  ['smtp://mail.example.com:587', 'on', { must: false, may: true }],
  ['smtps://mail.example.com', 'on', { must: false, may: false }],
  ['smtp://127.0.0.1:25', 'off', { must: false, may: false }],
  ['smtp://127.0.0.1:25', 'on', { must: false, may: false }],
  [undefined, 'on', { must: false, may: false }],
] as const)('mail to %s with the setting %s', (smtpUrl, smtpPlainText, { must, may }) => {
  expect(mustEncrypt({ smtpUrl, smtpPlainText })).toBe(must)
  expect(mayGoUnencrypted({ smtpUrl, smtpPlainText })).toBe(may)
})
