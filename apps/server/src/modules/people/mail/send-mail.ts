import { connect, type Socket } from 'node:net'
import type { Context } from '../../../context/context.ts'
import { mustEncrypt } from './mail-encryption.ts'

export interface Mail {
  /** One address. */
  to: string
  subject: string
  /** Plain text. */
  text: string
  html?: string
  /** Pictures that the HTML shows by `cid:` and their ID. */
  attachments?: { id: string; name: string; type: string; bytes: Buffer }[]
  /** True when no person asked for it: mail programs send no notice of absence back then. */
  isAutomatic?: boolean
}

/**
 * `off`: no mail server is configured. `refused`: it does not take mail for this address, now or later. `failed`: it did not take the
 * mail in time. The log says why.
 */
type MailOutcome = 'sent' | 'off' | 'refused' | 'failed'

/** A mail server that has not taken a mail after this long counts as failed, whatever it is doing. */
const longestSendMs = 10_000

/**
 * Hands a mail to the configured server, which took responsibility when the answer is `sent`. Never throws. It may take
 * as long as `timeoutMs`, so it has no place in a transaction.
 */
export async function sendMail(
  { config, log }: Pick<Context, 'config' | 'log'>,
  mail: Mail,
  timeoutMs: number = longestSendMs,
): Promise<MailOutcome> {
  const { smtpUrl, mailFrom } = config
  if (smtpUrl === undefined || mailFrom === undefined) return 'off'
  // Most farms send none, and it would take its memory anyway.
  const { createTransport } = await import('nodemailer')
  const signal = AbortSignal.timeout(timeoutMs)
  const { hostname, port, protocol } = new URL(smtpUrl)
  const transport = createTransport({
    url: smtpUrl,
    disableFileAccess: true,
    disableUrlAccess: true,
    // Without it the library goes on unencrypted when a server, or a machine in between, offers no TLS.
    requireTLS: mustEncrypt(config),
    // A socket of our own: the library bounds silence only, so a server that dribbles would hold it for ever.
    getSocket(_options: unknown, give: (error: Error | null, socket?: { connection: Socket }) => void) {
      const socket = connect({
        host: hostname.replace(/^\[|\]$/g, ''),
        port: Number(port) || (protocol === 'smtps:' ? 465 : 587),
        signal,
      })
      socket.once('error', give)
      socket.once('connect', () => {
        socket.off('error', give)
        give(null, { connection: socket })
      })
    },
  })
  try {
    await transport.sendMail({
      from: mailFrom,
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
      ...(mail.html !== undefined && { html: mail.html }),
      ...(mail.isAutomatic && { headers: { 'Auto-Submitted': 'auto-generated' } }),
      attachments: (mail.attachments ?? []).map(({ id, name, type, bytes }) => ({
        cid: id,
        filename: name,
        contentType: type,
        content: bytes,
      })),
    })
    return 'sent'
  } catch (error) {
    log.warn({ reason: signal.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error) }, 'a mail was not sent')
    return isForNobody(error) ? 'refused' : 'failed'
  } finally {
    transport.close()
  }
}

/** True when the server has refused the recipient for good: its codes from 500 on. */
function isForNobody(error: unknown): boolean {
  const { command, responseCode } = error as Record<string, unknown>
  return command === 'RCPT TO' && typeof responseCode === 'number' && responseCode >= 500
}

/** The codes, and the sentence while connecting: later ones of a mail server may name whom the mail was for. */
function reasonOf(error: unknown): string {
  const { code, command, responseCode, message } = error as Record<string, unknown>
  const parts = [code, command, responseCode, command === 'CONN' ? message : undefined]
  return parts.filter((part) => part !== undefined).join(' ') || 'unknown'
}
