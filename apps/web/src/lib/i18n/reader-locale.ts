import { textLanguage } from './messages.ts'

/** How numbers and units are written: as the words around them are. */
export const wordsLocale: string = textLanguage()

/**
 * How times of day and dates are written: in the language of the page, as the reader's own region does. A reader of
 * English in Vienna keeps the 24 hours of Vienna. Undefined: as the browser is set.
 */
export function timeLocale(
  language: string = textLanguage(),
  own: string = Intl.DateTimeFormat().resolvedOptions().locale,
  wanted: readonly string[] = globalThis.navigator?.languages ?? [],
): string | undefined {
  const isOf = (tag: string) => tag.split('-')[0]?.toLowerCase() === language
  if (isOf(own)) return undefined
  const regional = wanted.find(isOf)
  if (regional !== undefined) return regional
  const { hourCycle = 'h23' } = Intl.DateTimeFormat(own, { hour: 'numeric' }).resolvedOptions()
  return `${language}-u-hc-${hourCycle}`
}
