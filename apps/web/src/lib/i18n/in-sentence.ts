import { textLanguage } from './messages.ts'

/** A label in the middle of a sentence: `Take out component`. German nouns keep their capital letter. */
export function inSentence(label: string): string {
  return textLanguage() === 'de' ? label : label.toLowerCase()
}
