import { t } from '../i18n/t.ts'

/** Who did it, for people: `user:usr_…` by name. A person without one has left and was erased. */
export function actorWords(actor: string, name: string | null): string {
  if (actor === 'system') return t('Printyard itself')
  if (actor === 'cli') return t('the command line')
  if (actor === 'set-up') return t('setting up')
  const [kind = ''] = actor.split(':')
  if (kind === 'user') return name ?? t('a former member')
  if (kind === 'key') return name === null ? t('an API key') : t('API key {name}', { name })
  if (kind === 'mqtt') return t('MQTT')
  if (kind === 'hub') return name === null ? t('a hub') : t('hub {name}', { name })
  return actor
}

/** What the data of an event says of its time: when it happened, where that was before it was recorded, and why it is not known. */
export function eventTime({ created_at, data }: { created_at: string; data: unknown }): {
  at: string
  note: string | null
} {
  const { happened_at, time_note } = (data ?? {}) as Record<string, unknown>
  return {
    at: typeof happened_at === 'string' ? happened_at : created_at,
    note: typeof time_note === 'string' ? time_note : null,
  }
}
