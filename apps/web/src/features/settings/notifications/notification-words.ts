import type { Notification, NotificationChannel, NotificationRule } from '../../../lib/api/api-schema.generated.ts'
import type { Tone } from '../../../ui/tone.ts'

interface State {
  tone: Tone
  word: string
}

export const kindWords: Record<string, string> = {
  needs_person: 'Needs a person',
  print_done: 'Print done',
  print_failed: 'Print failed',
  printer_silent: 'Printer silent',
  printer_error: 'Printer error',
  order_received: 'New order',
  order_at_risk: 'Order at risk',
  stock_low: 'Stock low',
  filament_low: 'Filament low',
  hub_gone: 'Hub gone',
  backup_failed: 'Backup failed',
  receiver_paused: 'Receiver paused',
  automation: 'Automation rule',
  test: 'Test',
}

export const channelKindWords: Record<string, string> = {
  mail: 'Mail',
  ntfy: 'ntfy',
  telegram: 'Telegram',
  discord: 'Discord',
  slack: 'Slack',
  matrix: 'Matrix',
  webhook: 'Webhook',
  web_push: 'Browser',
}

export const severityWords: Record<string, string> = { low: 'Low', medium: 'Medium', high: 'High' }

const channelStates: Record<string, State> = {
  active: { tone: 'working', word: 'Active' },
  failing: { tone: 'trouble', word: 'Failing' },
  paused: { tone: 'waiting', word: 'Paused' },
}

export function channelState({ status }: Pick<NotificationChannel, 'status'>): State {
  return channelStates[status] ?? { tone: 'unknown', word: status }
}

const notificationStates: Record<string, State> = {
  pending: { tone: 'waiting', word: 'Waiting' },
  sent: { tone: 'done', word: 'Sent' },
  failed: { tone: 'trouble', word: 'Failed' },
  dropped: { tone: 'unknown', word: 'Over before it was sent' },
}

export function notificationState({ status }: Pick<Notification, 'status'>): State {
  return notificationStates[status] ?? { tone: 'unknown', word: status }
}

/** What came of the last attempt, in a few words: `200 in 84 ms: ok`. */
export function answerWords({
  attempted_at: at,
  status_code: status,
  duration_ms: ms,
  answer,
}: Pick<Notification, 'attempted_at' | 'status_code' | 'duration_ms' | 'answer'>): string {
  if (at === null) return 'Not sent yet'
  const head = [status === null ? undefined : String(status), ms === null ? undefined : `in ${ms} ms`]
  const first = head.filter((part) => part !== undefined).join(' ')
  return [first, answer ?? ''].filter((part) => part !== '').join(': ')
}

/** Whom a rule tells, in one line. */
export function toWords(
  {
    to_acting_members: everyone,
    user_ids: users,
    channel_ids: channels,
  }: Pick<NotificationRule, 'to_acting_members' | 'user_ids' | 'channel_ids'>,
  nameOf: (id: string) => string,
): string {
  const named = [...channels, ...users].map(nameOf)
  const all = everyone ? ['Devices of all who may act', ...named] : named
  return all.length === 0 ? 'No one' : all.join(', ')
}

/** When a rule holds messages back, in one line. */
export function whenWords({
  quiet_from: from,
  quiet_to: to,
  digest_minutes: minutes,
}: Pick<NotificationRule, 'quiet_from' | 'quiet_to' | 'digest_minutes'>): string {
  const parts = [
    minutes > 0 ? `Every ${minutes} min together` : 'At once',
    from === null ? '' : `quiet ${from}–${to ?? ''}`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}
