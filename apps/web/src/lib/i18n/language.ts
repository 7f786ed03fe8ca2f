import { type Language, preferredLanguage, readLanguage } from './languages.ts'
import { type Catalogue, takeCatalogue, textLanguage } from './messages.ts'

/** Fetched when one is chosen, whole: English needs none. */
const catalogues: Record<Exclude<Language, 'en'>, () => Promise<{ catalogue: Catalogue; sentences: string[] }>> = {
  de: () => import('./de/catalogue.ts'),
}

/** Who comes back to this device reads its language at once, before the service has said who they are. */
const storageKey = 'printyard-language'

function rememberedLanguage(): Language | undefined {
  try {
    return readLanguage(localStorage.getItem(storageKey))
  } catch {
    // A browser that keeps nothing for us: its own languages decide.
    return undefined
  }
}

function remember(language: Language): boolean {
  try {
    localStorage.setItem(storageKey, language)
    return true
  } catch {
    return false
  }
}

/**
 * Readies the language of this page: that of the last person here, else the browser's. It comes before everything that has
 * texts. Where its texts cannot be fetched, the page is shown in English.
 */
export async function startLanguage(): Promise<void> {
  const language = rememberedLanguage() ?? preferredLanguage(navigator.languages)
  if (language !== 'en') {
    try {
      const { catalogue, sentences } = await catalogues[language]()
      takeCatalogue(language, catalogue, sentences)
    } catch (error) {
      console.warn(`The texts in ${language} could not be loaded; the page is shown in English.`, error)
    }
  }
  document.documentElement.lang = textLanguage()
}

/**
 * The page begins again in another language. Answers whether it does: it does not where it has been tried already, because the texts
 * could not be fetched, or where the browser keeps nothing.
 *
 * @param path where to; left out: where it is
 */
export function changeLanguage(language: Language, path?: string): boolean {
  if (language === textLanguage() || language === rememberedLanguage() || !remember(language)) return false
  const { pathname, search, hash } = location
  if (path === undefined || path === `${pathname}${search}${hash}`) location.reload()
  else location.replace(path)
  return true
}

/**
 * The language that a person has chosen, here or on another device, goes before that of the device: the page begins again in it, at
 * `path`.
 */
export function followLanguage(chosen: string | null, path: string): boolean {
  const language = readLanguage(chosen)
  return language !== undefined && changeLanguage(language, path)
}
