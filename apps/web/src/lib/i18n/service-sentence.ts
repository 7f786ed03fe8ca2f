import { reasonWords } from '../words/reason-words.ts'
import { knownSentences, textLanguage, translated } from './messages.ts'

interface Pattern {
  sentence: string
  names: string[]
  matcher: RegExp
}

/** Values that are sentences of the service themselves. */
const spoken = new Set(['sentence', 'why'])

let patterns: { of: readonly string[]; list: Pattern[] } = { of: [], list: [] }

/** What says most of a sentence by itself comes first: `Look at {printer}: it reports an error` before `{printer} reports an error`. */
function readPatterns(): Pattern[] {
  const sentences = knownSentences()
  if (patterns.of.length === sentences.length && patterns.of[0] === sentences[0]) return patterns.list
  const list = sentences.map((sentence): Pattern & { said: number } => {
    const names = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const pattern = sentence.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '(.+)')
    return { sentence, names, matcher: new RegExp(`^${pattern}$`), said: sentence.replaceAll(/\{\w+\}/g, '').length }
  })
  list.sort((a, b) => b.said - a.said)
  patterns = { of: [...sentences], list }
  return list
}

/**
 * What the service says, in the language of the page: an error, why a job waits, the title of a task the farm made. What the language
 * does not have stays as it is, and so do names that stand in it.
 */
export function serviceSentence(said: string): string {
  if (textLanguage() === 'en' || said === '') return said
  const whole = inLanguage(said)
  if (whole !== undefined) return whole
  const sentences = said.split(/(?<=\.) (?=\p{Lu})/u).map(inLanguage)
  return sentences.some((sentence) => sentence === undefined) ? said : sentences.join(' ')
}

function inLanguage(said: string): string | undefined {
  for (const { sentence, names, matcher } of readPatterns()) {
    const found = matcher.exec(said)
    if (!found) continue
    const values = names.map((name, index) => [name, heldValue(name, found[index + 1] ?? '')] as const)
    if (values.some(([, value]) => value === undefined)) continue
    return translated(sentence, Object.fromEntries(values))
  }
  // A reason of a plate is said with a full stop in tasks, and without one beside the plate.
  if (!said.endsWith('.')) return undefined
  const bare = inLanguage(said.slice(0, -1))
  return bare === undefined ? undefined : `${bare}.`
}

/** Undefined where it cannot be this value: a name holds no second sentence. */
function heldValue(name: string, value: string): string | undefined {
  if (name === 'reason') return reasonWords(value)
  if (name === 'why') return serviceSentence(value)
  if (!spoken.has(name)) return /\. \p{Lu}/u.test(value) ? undefined : value
  const told = serviceSentence(value)
  return told === value ? undefined : told
}
