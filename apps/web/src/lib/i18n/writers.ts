import { timeLocale, wordsLocale } from './reader-locale.ts'

/**
 * Keeps what is made for the same arguments: to make a writer takes far longer than to write with it, a list writes hundreds of
 * times, and the first few of a page would take a tenth of the time until it is drawn.
 */
function keep<Arguments extends unknown[], Writer>(make: (...of: Arguments) => Writer): (...of: Arguments) => Writer {
  const made = new Map<string, Writer>()
  return (...of) => {
    const key = JSON.stringify(of)
    const known = made.get(key)
    if (known !== undefined) return known
    const writer = make(...of)
    made.set(key, writer)
    return writer
  }
}

/** Writes numbers as the words around them are written. */
export const numberWriter = keep((options: Intl.NumberFormatOptions) => new Intl.NumberFormat(wordsLocale, options))

/** Writes how far away a moment is, in the same way. */
export const ageWriter = keep(
  (options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(wordsLocale, options),
)

type TimeOptions = Omit<Intl.DateTimeFormatOptions, 'timeZone'> & { timeZone?: string | undefined }

/** Writes moments: as the reader's region does without a locale, by the browser's clock without a zone. */
export const timeWriter = keep(
  (locale: string | undefined, { timeZone, ...options }: TimeOptions) =>
    new Intl.DateTimeFormat(locale ?? timeLocale(), { ...options, ...(timeZone !== undefined && { timeZone }) }),
)
