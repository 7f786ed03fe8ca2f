/** Longer words than these are cut: who looks for one has found it by its beginning. */
const longestWord = 200

/** Marks that a letter carries, once they are apart from it. */
const marks = /\p{M}+/gu

const punctuation = /[^\p{L}\p{N}]+/u

/**
 * The words by which texts are found, in lower case and without accents: each run without spaces, and each part of it
 * between punctuation. `W-1001` is found by itself, by `W` and by `1001`.
 */
export function searchWords(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => {
    const runs = foldText(text).split(/\s+/)
    return [...runs, ...runs.flatMap((run) => run.split(punctuation))]
  })
  return [...new Set(words.map((word) => [...word].slice(0, longestWord).join('')).filter((word) => word !== ''))]
}

/** A search for rows of which each of these words begins one of their own; undefined for a text without a word. */
export function searchFor(text: string): string | undefined {
  const words = foldText(text)
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return undefined
  return words.map((word) => `${quoteLexeme([...word].slice(0, longestWord).join(''))}:*`).join(' & ')
}

function foldText(text: string): string {
  return text.normalize('NFKD').replace(marks, '').toLowerCase()
}

/** As the input of PostgreSQL's type `tsquery` has it. */
function quoteLexeme(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
