import { knownSentences, translated } from './messages.ts'

/**
 * A sentence of the service in the language of the page, where it is one of the catalogue of errors; else as it is. Values
 * that stand in it, such as a reason in the words of the service, stay.
 */
export function serviceSentence(said: string): string {
  for (const sentence of knownSentences()) {
    const names = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const pattern = sentence.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '(.+)')
    const found = new RegExp(`^${pattern}$`).exec(said)
    if (found) return translated(sentence, Object.fromEntries(names.map((name, index) => [name, found[index + 1]])))
  }
  return said
}
