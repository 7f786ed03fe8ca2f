import { escapeHtml } from '../../kernel/escape-html.ts'

/** A part of a page of the documentation, as the build wrote it down. */
export interface FoundPart {
  /** Title of the page. */
  page: string
  heading: string
  url: string
  text: string
}

const mostResults = 30
const mostWords = 8
const snippetLength = 220

/** Parts that have all words that were asked for, those first that have them in their heading; at most 30. */
export function searchParts(parts: readonly FoundPart[], query: string): FoundPart[] {
  const words = wordsOf(query)
  if (words.length === 0) return []
  return parts
    .map((part) => ({ part, score: scoreOf(part, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, mostResults)
    .map(({ part }) => part)
}

/** Answers what was found, as the items of a list. */
export function resultsHtml(parts: readonly FoundPart[], query: string): string {
  const asked = escapeHtml(query.trim())
  if (asked === '') return '<p>Type what you look for into the field above.</p>'
  if (parts.length === 0) {
    return `<p>Nothing has all words of “${asked}”. Try fewer of them, or another one.</p>`
  }
  const words = wordsOf(query)
  const items = parts.map(({ page, heading, url, text }) => {
    const title = heading === '' || heading === page ? page : `${heading} · ${page}`
    return `<li><a href="${escapeHtml(url)}">${escapeHtml(title)}</a><p>${marked(snippetOf(text, words), words)}</p></li>`
  })
  const count = parts.length === mostResults ? `The best ${mostResults}` : `${parts.length}`
  return `<p role="status">${count} for “${asked}”</p>\n<ol class="results">\n${items.join('\n')}\n</ol>`
}

const wordsOf = (query: string) =>
  query
    .toLowerCase()
    .split(/[^\p{L}\p{N}_/.-]+/u)
    .filter((word) => word !== '')
    .slice(0, mostWords)

/** Zero where a word is missing. A word in a heading says more than one in the text, and a text that has it often more than one that names it. */
function scoreOf({ page, heading, text }: FoundPart, words: readonly string[]): number {
  const title = heading.toLowerCase()
  const above = page.toLowerCase()
  const body = text.toLowerCase()
  let score = 0
  for (const word of words) {
    const times = Math.min(body.split(word).length - 1, 5)
    const here = (title.includes(word) ? 20 : 0) + (above.includes(word) ? 10 : 0) + times
    if (here === 0) return 0
    score += here
  }
  return score
}

/** The place of a text where the first of the words is. */
function snippetOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)
  const around = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - 60)
  const start = around === 0 ? 0 : text.indexOf(' ', around) + 1
  const end = Math.min(text.length, start + snippetLength)
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`
}

function marked(text: string, words: readonly string[]): string {
  const anyWord = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'gi')
  return text
    .split(anyWord)
    .map((piece, index) => (index % 2 === 1 ? `<mark>${escapeHtml(piece)}</mark>` : escapeHtml(piece)))
    .join('')
}
