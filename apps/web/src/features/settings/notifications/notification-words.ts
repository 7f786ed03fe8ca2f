import type { Notification, NotificationChannel, NotificationRule } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import type { Tone } from '../../../ui/tone.ts'

interface State {
  tone: Tone
  word: string
}

export const kindWords: Record<string, string> = {
  needs_person: t('Needs a person'),
  print_done: t('Print done'),
  print_failed: t('Print failed'),
  printer_silent: t('Printer silent'),
  printer_error: t('Printer error'),
  order_received: t('New order'),
  order_at_risk: t('Order at risk'),
  order_late: t('Order late'),
  stock_low: t('Stock low'),
  filament_low: t('Filament low'),
  hub_gone: t('Hub gone'),
  backup_failed: t('Backup failed'),
  receiver_paused: t('Receiver paused'),
  automation: t('Automation rule'),
  test: t('Test'),
}

export const channelKindWords: Record<string, string> = {
  mail: t('Mail'),
  ntfy: 'ntfy',
  telegram: 'Telegram',
  discord: 'Discord',
  slack: 'Slack',
  matrix: 'Matrix',
  webhook: t('Webhook'),
  web_push: t('Browser'),
}

export const severityWords: Record<string, string> = { low: t('Low'), medium: t('Medium'), high: t('High') }

const channelStates: Record<string, State> = {
  active: { tone: 'working', word: t('Active') },
  failing: { tone: 'trouble', word: t('Failing') },
  paused: { tone: 'waiting', word: t('Paused') },
}

export function channelState({ status }: Pick<NotificationChannel, 'status'>): State {
  return channelStates[status] ?? { tone: 'unknown', word: status }
}

const notificationStates: Record<string, State> = {
  pending: { tone: 'waiting', word: t('Waiting') },
  sent: { tone: 'done', word: t('Sent') },
  failed: { tone: 'trouble', word: t('Failed') },
  dropped: { tone: 'unknown', word: t('Over before it was sent') },
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
  if (at === null) return t('Not sent yet')
  const head = [status === null ? undefined : String(status), ms === null ? undefined : t('in {ms} ms', { ms })]
  const first = head.filter((part) => part !== undefined).join(' ')
  return [first, answer ?? ''].filter((part) => part !== '').join(': ')
}

/** Whom a rule tells, in one line. */
export function toWords(
  {
    to_acting_members: everyone,
    to_on_shift: onShift,
    user_ids: users,
    channel_ids: channels,
  }: Pick<NotificationRule, 'to_acting_members' | 'to_on_shift' | 'user_ids' | 'channel_ids'>,
  nameOf: (id: string) => string,
): string {
  const named = [...channels, ...users].map(nameOf)
  const all = [
    ...(everyone ? [t('Devices of all who may act')] : []),
    ...(onShift ? [t('Devices of those on shift')] : []),
    ...named,
  ]
  return all.length === 0 ? t('No one') : all.join(', ')
}

/** When a rule holds messages back, in one line. */
export function whenWords({
  quiet_from: from,
  quiet_to: to,
  digest_minutes: minutes,
}: Pick<NotificationRule, 'quiet_from' | 'quiet_to' | 'digest_minutes'>): string {
  const parts = [
    minutes > 0 ? t('Every {minutes} min together', { minutes }) : t('At once'),
    from === null ? '' : t('quiet {from}–{to}', { from, to: to ?? '' }),
  ]
  return parts.filter((part) => part !== '').join(', ')
}
