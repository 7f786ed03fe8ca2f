import { signatureHeaders } from '../../webhooks/rules/webhook-secrets.ts'
import { openUrl, takeUrl } from '../message/message.ts'
import { type Adapter, need } from './adapter.ts'
import { receiptOf } from './receipt.ts'

/** Signed as webhooks are, so that receivers verify both by the same library. */
export const webhook: Adapter = {
  needed: ['url'],
  optional: [],
  address: (settings) => need(settings, 'url'),
  async send(message, settings, send) {
    const { id, kind, severity, title, body, subject, at } = message
    const data = {
      id,
      kind,
      severity,
      title,
      body,
      subject,
      url: openUrl(message) ?? null,
      take_url: takeUrl(message) ?? null,
    }
    const text = JSON.stringify({ type: 'notification', timestamp: at.toISOString(), data })
    const secrets = { current: need(settings, 'secret'), former: [] }
    const headers = signatureHeaders(secrets, id, at, text)
    return receiptOf(await send({ url: need(settings, 'url'), headers, body: text }), [410])
  },
}
