const acronyms: Record<string, string> = { api: 'API', totp: 'authenticator app', sku: 'SKU', ams: 'AMS' }

/** `api_key.created` reads `API key created`. Types of a later service read well, too. */
export function eventWords(type: string): string {
  const words = type
    .split(/[._]/)
    .map((word) => acronyms[word] ?? word)
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Names of people, keys and hubs by their IDs. */
export type Names = ReadonlyMap<string, string>

/** Who did it: `user:usr_…` by name where it is known. */
export function actorName(actor: string, names: Names): string {
  if (actor === 'system') return 'Printyard itself'
  if (actor === 'cli') return 'the command line'
  if (actor === 'set-up') return 'setting up'
  const [kind = '', id = ''] = actor.split(':')
  const name = names.get(id)
  if (kind === 'user') return name ?? 'somebody who has left'
  if (kind === 'key') return name === undefined ? 'an API key' : `API key ${name}`
  if (kind === 'hub') return name === undefined ? 'a hub' : `hub ${name}`
  return actor
}

/** What there is to know besides, in one line: plain values alone. */
export function eventFacts(data: unknown): string {
  return Object.entries(data ?? {})
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${String(value)}`)
    .join(', ')
}
