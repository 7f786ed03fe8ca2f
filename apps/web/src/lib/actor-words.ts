/** Who did it, for people: `user:usr_…` by name. A person without one has left and was erased. */
export function actorWords(actor: string, name: string | null): string {
  if (actor === 'system') return 'Printyard itself'
  if (actor === 'cli') return 'the command line'
  if (actor === 'set-up') return 'setting up'
  const [kind = ''] = actor.split(':')
  if (kind === 'user') return name ?? 'a former member'
  if (kind === 'key') return name === null ? 'an API key' : `API key ${name}`
  if (kind === 'hub') return name === null ? 'a hub' : `hub ${name}`
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
