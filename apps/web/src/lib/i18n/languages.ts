/** Languages of the dashboard by their codes, each by its own name. English is in the code itself and has no catalogue. */
export const languages = { en: 'English', de: 'Deutsch' } as const

export type Language = keyof typeof languages

/** One of ours, by its code; undefined for any other. */
export function readLanguage(code: string | null | undefined): Language | undefined {
  return code !== null && code !== undefined && Object.hasOwn(languages, code) ? (code as Language) : undefined
}

/** The first of what a browser asks for (`de-AT`, `en`) that is one of ours; English when none is. */
export function preferredLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = readLanguage(tag.split('-')[0]?.toLowerCase())
    if (found !== undefined) return found
  }
  return 'en'
}
