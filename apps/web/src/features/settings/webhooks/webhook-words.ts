import type { Webhook, WebhookDelivery } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import type { Tone } from '../../../ui/tone.ts'

interface State {
  tone: Tone
  word: string
}

const webhookStates: Record<string, State> = {
  active: { tone: 'working', word: t('Active') },
  failing: { tone: 'trouble', word: t('Failing') },
  paused: { tone: 'waiting', word: t('Paused') },
}

export function webhookState({ status }: Pick<Webhook, 'status'>): State {
  return webhookStates[status] ?? { tone: 'unknown', word: status }
}

const deliveryStates: Record<string, State> = {
  pending: { tone: 'waiting', word: t('Waiting') },
  delivered: { tone: 'done', word: t('Delivered') },
  failed: { tone: 'trouble', word: t('Failed') },
}

export function deliveryState({ status }: Pick<WebhookDelivery, 'status'>): State {
  return deliveryStates[status] ?? { tone: 'unknown', word: status }
}

const failureWords: Record<string, string> = {
  redirect: t('Redirect, not followed'),
  timeout: t('No answer in time'),
  connection: t('No connection'),
  dns: t('Name not found'),
  tls: t('TLS failed'),
  address_refused: t('Address not allowed'),
  event_removed: t('Event is not kept any more'),
  secret_unreadable: t('Secret cannot be read'),
}

/** What the last attempt came to, in a few words: `200 in 84 ms`, `No answer in time`. */
export function attemptWords(
  attempt: Pick<WebhookDelivery, 'failure' | 'status_code' | 'duration_ms'> & { attempted_at: string | null },
): string {
  const { failure, status_code: status, duration_ms: ms, attempted_at: at } = attempt
  if (at === null) return t('Not sent yet')
  const took = ms === null ? '' : t(' in {ms} ms', { ms })
  if (failure !== null && failure in failureWords) {
    return status === null ? (failureWords[failure] ?? failure) : `${status}: ${failureWords[failure]}`
  }
  return status === null ? (failure ?? t('Sent')) : `${status}${took}`
}

/** Why a webhook is paused, and what to do. */
export function pauseSentence({ pause_reason: reason }: Pick<Webhook, 'pause_reason'>): string | undefined {
  if (reason === null) return undefined
  const why =
    reason === 'failing'
      ? t('Nothing was accepted for three days.')
      : reason === 'gone'
        ? t('The receiver answered that it is gone.')
        : t('It was paused by hand.')
  return t('{why} What waits is kept. Resume it when the receiver works, then redeliver the time in between.', { why })
}

/** What a webhook is told of, in one line. */
export function filterWords({
  event_types: types,
  subject_ids: subjects,
}: Pick<Webhook, 'event_types' | 'subject_ids'>) {
  const what = types.length === 0 ? t('All events') : types.join(', ')
  return subjects.length === 0 ? what : t('{what} of {subjects}', { what, subjects: subjects.join(', ') })
}
