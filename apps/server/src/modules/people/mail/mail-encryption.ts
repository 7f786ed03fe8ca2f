import type { Config } from '../../../kernel/config.ts'
import { isLoopbackName } from '../../../kernel/loopback.ts'

type MailSettings = Pick<Config, 'smtpUrl' | 'smtpPlainText'>

/** True when mails, with the password of the server, may only go encrypted: to every other machine unless a setting allows it. */
export function mustEncrypt({ smtpUrl, smtpPlainText }: MailSettings): boolean {
  return smtpUrl !== undefined && smtpPlainText === 'off' && !isLoopbackName(new URL(smtpUrl).hostname)
}

/**
 * True when mails may cross a network that can read them. `smtps:` is encrypted from the first byte, whatever the setting allows, and what
 * stays on the machine crosses none.
 */
export function mayGoUnencrypted({ smtpUrl, smtpPlainText }: MailSettings): boolean {
  if (smtpUrl === undefined || smtpPlainText === 'off') return false
  const { protocol, hostname } = new URL(smtpUrl)
  return protocol !== 'smtps:' && !isLoopbackName(hostname)
}
