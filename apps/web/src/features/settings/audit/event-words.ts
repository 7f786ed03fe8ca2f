import { t } from '../../../lib/i18n/t.ts'
import { reasonWords } from '../../../lib/reason-words.ts'

const acronyms: Record<string, string> = { api: 'API', totp: t('authenticator app'), sku: 'SKU', ams: 'AMS' }

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

/** The fields whose values are codes for programs. */
const reasonNames = new Set(['reason', 'reason_code'])

/** What there is to know besides, in one line: plain values alone. */
export function eventFacts(data: unknown): string {
  return Object.entries(data ?? {})
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(
      ([name, value]) =>
        `${name.replaceAll('_', ' ')}: ${reasonNames.has(name) ? reasonWords(String(value)) : String(value)}`,
    )
    .join(', ')
}
