import type { Context } from '../../../context/context.ts'
import { escapeHtml } from '../../../kernel/escape-html.ts'
import { type Mail, sendMail } from '../../people/mail/send-mail.ts'
import { type Message, openLabel, openUrl, takeLabel, takeUrl } from '../message/message.ts'
import type { Receipt } from './adapter.ts'

const pictureId = 'picture@printyard'

/** Mails a message to a member of the account, by the mail server of the service. */
export async function sendByMail(
  context: Pick<Context, 'config' | 'log'>,
  email: string | undefined,
  message: Message,
): Promise<Receipt> {
  const startedAtMs = performance.now()
  const done = (verdict: Receipt['verdict'], answer: string): Receipt => ({
    verdict,
    answer,
    status_code: null,
    duration_ms: Math.round(performance.now() - startedAtMs),
    retryAfterMs: 0,
  })
  if (email === undefined) return done('gone', 'The person is no member of this account any more.')
  switch (await sendMail(context, mailOf(email, message))) {
    case 'sent':
      return done('accepted', 'The mail server took it.')
    case 'off':
      return done('refused', 'No mail server is configured: SMTP_URL.')
    case 'refused':
      return done('refused', 'The mail server takes no mail for this address; the log of the service says why.')
    case 'failed':
      return done('retry', 'The mail server did not take it; the log of the service says why.')
  }
}

function mailOf(to: string, message: Message): Mail {
  const { title, body, picture } = message
  const links: [string, string | undefined][] = [
    [takeLabel, takeUrl(message)],
    [openLabel, openUrl(message)],
  ]
  const known = links.flatMap(([label, url]) => (url === undefined ? [] : [{ label, url }]))
  const html = [
    `<p><b>${escapeHtml(title)}</b></p>`,
    body === '' ? '' : `<p>${escapeHtml(body).replaceAll('\n', '<br>')}</p>`,
    picture ? `<p><img src="cid:${pictureId}" alt="Camera picture" style="max-width:100%"></p>` : '',
    known.length === 0
      ? ''
      : `<p>${known.map(({ label, url }) => `<a href="${escapeHtml(url)}">${label}</a>`).join(' · ')}</p>`,
  ]
  return {
    to,
    // A line break would begin another header field.
    subject: title.replaceAll(/\s+/g, ' '),
    text: [
      title,
      ...(body === '' ? [] : ['', body]),
      '',
      ...known.map(({ label, url }) => `${label}: ${url}`),
      '',
    ].join('\n'),
    html: html.join(''),
    isAutomatic: true,
    ...(picture && { attachments: [{ ...picture, id: pictureId }] }),
  }
}
