import { setupI18n } from '@lingui/core'
import { messageCompiler } from './compile-message.ts'
import type { Language } from './languages.ts'

const messages = setupI18n({ locale: 'en', messages: { en: {} } })
messages.setMessagesCompiler(messageCompiler())

/** Source text → text in the language; what is missing is shown in English. */
export type Catalogue = Record<string, string>

/** From now on texts are in this language. What was drawn or kept before stays as it is: a page begins with it. */
export function takeCatalogue(language: Language, catalogue: Catalogue, sentences: readonly string[] = []): void {
  messages.loadAndActivate({ locale: language, messages: catalogue })
  ofService.splice(0, ofService.length, ...sentences)
}

const ofService: string[] = []

/** Sentences of the service that the language has, as the service spells them. */
export const knownSentences = (): readonly string[] => ofService

/** The language that texts are in. */
export const textLanguage = (): Language => messages.locale as Language

/** A text of the catalogue, or the source text itself. */
export function translated(text: string, values: Record<string, unknown> | undefined, context?: string): string {
  if (context === undefined) return messages._(text, values)
  return messages._({ id: contextual(context, text), message: text, ...(values && { values }) })
}

/** The key of a text that says something else elsewhere: `state of an order|Open`. */
const contextual = (context: string, text: string): string => `${context}|${text}`
