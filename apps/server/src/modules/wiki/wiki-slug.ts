/** The longest slug that a client may give, in Unicode code points. */
export const longestSlug = 200

/** A slug made from a title is shorter, so that there is room for its number. */
const longestDerivedSlug = 70

/** Paths under /wiki that are no articles. */
const reservedSlugs: ReadonlySet<string> = new Set(['categories'])

/**
 * Combining marks of Latin, Greek and Cyrillic letters, marks that enclose a sign, and what makes an emoji of a sign.
 * The marks of other scripts belong to the word and stay.
 */
const ornaments = /[\u0300-\u036f\u20d0-\u20ff\ufe00-\ufe0f]/g
const words = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu

/** The words of a text: lower-case letters and digits of any script, joined by single hyphens. May be empty. */
function slugOf(text: string, longest: number): string {
  const plain = text.normalize('NFKD').toLowerCase().replace(ornaments, '').normalize('NFC')
  const joined = (plain.match(words) ?? []).join('-')
  return [...joined].slice(0, longest).join('').replace(/-$/, '')
}

/** The slug of a title, which may be taken already. Never empty. */
export function slugOfTitle(title: string): string {
  return slugOf(title, longestDerivedSlug) || 'article'
}

/** True when a text is a slug as it stands. An ID never is: it has an underscore. */
export function isSlug(text: string): boolean {
  return text !== '' && slugOf(text, longestSlug) === text
}

/** True when an article of this slug could not be reached, because its address means something else. */
export function isReservedSlug(slug: string): boolean {
  return reservedSlugs.has(slug)
}

/** The slug itself when it is free, else with the lowest number from 2 on that is. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  const isFree = (candidate: string) => !taken.has(candidate) && !isReservedSlug(candidate)
  if (isFree(slug)) return slug
  let number = 2
  while (!isFree(`${slug}-${number}`)) number += 1
  return `${slug}-${number}`
}
