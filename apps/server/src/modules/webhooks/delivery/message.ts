import type { SecretBox } from '../../../kernel/secret-box.ts'
import type { EventRow } from '../../events/event-feed.queries.ts'
import { presentEvent } from '../../events/events.schema.ts'
import { openSecrets, signatureHeaders } from '../rules/webhook-secrets.ts'
import type { Due } from './due.queries.ts'

/** What is sent: the ID is that of the event, so that it is the same however often it is sent. */
interface Message {
  url: string
  headers: Record<string, string>
  body: string
}

/**
 * The message of an event, signed for this attempt.
 *
 * @throws Error when the secrets cannot be opened
 */
export function makeMessage(
  box: Pick<SecretBox, 'open'>,
  { url, webhook_id, secrets_sealed }: Pick<Due, 'url' | 'webhook_id' | 'secrets_sealed'>,
  event: Omit<EventRow, 'txid'>,
  now: Date,
): Message {
  const data = presentEvent({ ...event, txid: 0 })
  const body = JSON.stringify({ type: event.type, timestamp: data.created_at, data })
  const secrets = openSecrets(box, webhook_id, secrets_sealed)
  return { url, headers: signatureHeaders(secrets, event.id, now, body), body }
}
