import { wordsLocale } from '../i18n/reader-locale.ts'

/** `2 jobs and 1 task`: several words joined as the language of the page does. */
export function allOf(words: readonly string[]): string {
  return new Intl.ListFormat(wordsLocale, { type: 'conjunction' }).format(words)
}
