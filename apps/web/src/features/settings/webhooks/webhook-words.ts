import type { Webhook, WebhookDelivery } from '../../../lib/api/api-schema.generated.ts'
import type { Tone } from '../../../ui/tone.ts'

interface State {
  tone: Tone
  word: string
}

const webhookStates: Record<string, State> = {
  active: { tone: 'working', word: 'Active' },
  failing: { tone: 'trouble', word: 'Failing' },
  paused: { tone: 'waiting', word: 'Paused' },
}

export function webhookState({ status }: Pick<Webhook, 'status'>): State {
  return webhookStates[status] ?? { tone: 'unknown', word: status }
}

const deliveryStates: Record<string, State> = {
  pending: { tone: 'waiting', word: 'Waiting' },
  delivered: { tone: 'done', word: 'Delivered' },
  failed: { tone: 'trouble', word: 'Failed' },
}

export function deliveryState({ status }: Pick<WebhookDelivery, 'status'>): State {
  return deliveryStates[status] ?? { tone: 'unknown', word: status }
}

const failureWords: Record<string, string> = {
  redirect: 'Redirect, not followed',
  timeout: 'No answer in time',
  connection: 'No connection',
  dns: 'Name not found',
  tls: 'TLS failed',
  address_refused: 'Address not allowed',
  event_removed: 'Event is not kept any more',
  secret_unreadable: 'Secret cannot be read',
}

/** What the last attempt came to, in a few words: `200 in 84 ms`, `No answer in time`. */
export function attemptWords(
  attempt: Pick<WebhookDelivery, 'failure' | 'status_code' | 'duration_ms'> & { attempted_at: string | null },
): string {
  const { failure, status_code: status, duration_ms: ms, attempted_at: at } = attempt
  if (at === null) return 'Not sent yet'
  const took = ms === null ? '' : ` in ${ms} ms`
  if (failure !== null && failure in failureWords) {
    return status === null ? (failureWords[failure] ?? failure) : `${status}: ${failureWords[failure]}`
  }
  return status === null ? (failure ?? 'Sent') : `${status}${took}`
}

/** Why a webhook is paused, and what to do. */
export function pauseSentence({ pause_reason: reason }: Pick<Webhook, 'pause_reason'>): string | undefined {
  if (reason === null) return undefined
  const why =
    reason === 'failing'
      ? 'Nothing was accepted for three days.'
      : reason === 'gone'
        ? 'The receiver answered that it is gone.'
        : 'It was paused by hand.'
  return `${why} What waits is kept. Resume it when the receiver works, then redeliver the time in between.`
}

/** What a webhook is told of, in one line. */
export function filterWords({
  event_types: types,
  subject_ids: subjects,
}: Pick<Webhook, 'event_types' | 'subject_ids'>) {
  const what = types.length === 0 ? 'All events' : types.join(', ')
  return subjects.length === 0 ? what : `${what} of ${subjects.join(', ')}`
}
