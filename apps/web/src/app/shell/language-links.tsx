import { Button } from '@mantine/core'
import { changeLanguage } from '../../lib/i18n/language.ts'
import { type Language, languages } from '../../lib/i18n/languages.ts'
import { textLanguage } from '../../lib/i18n/messages.ts'

/** The other languages, each by its own name, for who cannot read this one. On this device it stays so until they sign in. */
export function LanguageLinks() {
  const others = (Object.keys(languages) as Language[]).filter((language) => language !== textLanguage())
  return others.map((language) => (
    <Button
      key={language}
      size="compact-sm"
      variant="subtle"
      lang={language}
      onClick={() => void changeLanguage(language)}
    >
      {languages[language]}
    </Button>
  ))
}
