import { translated } from '../i18n/messages.ts'
import { reasonWords } from './reason-words.ts'

const acronyms: Record<string, string> = { api: 'API', totp: 'authenticator app', sku: 'SKU', bom: 'BOM' }

/** `api_key.created` reads `API key created`, in the language of the page where it has the type. Types of a later service read well, too. */
export const eventWords = (type: string): string => translated(eventText(type), undefined)

/** The same in English, as the catalogues name it. */
export function eventText(type: string): string {
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
