import { translated } from './messages.ts'

/** Names in braces. Where a text has a plural, what follows `one`, `other` or `=2` is a form of it and no name. */
export type Names<Text extends string> = Text extends `${string}, plural,${string}`
  ? NamesOf<Text, Form>
  : NamesOf<Text, never>

type Form = `${string}${'one' | 'other' | `=${number}`} `

type NamesOf<Text extends string, Skipped extends string> = Text extends `${infer Before}{${infer Rest}`
  ? [Before] extends [Skipped]
    ? NamesOf<Rest, Skipped>
    : NameAtStart<Rest> | NamesOf<Rest, Skipped>
  : never

type NameAtStart<Text extends string> = Text extends `${infer Name}}${string}`
  ? Name extends `${infer Short},${string}`
    ? Short
    : Name
  : never

type Values<Text extends string> = [Names<Text>] extends [never]
  ? []
  : [values: Readonly<Record<Names<Text>, string | number | null>>]

/**
 * A text in the language of the reader: `t('Cancel {count, plural, one {# job} other {# jobs}}?', { count })`. The text is
 * written out where it is said, in English, which is also its key: it must be a literal, and `catalogue.test.ts` finds those that a
 * language lacks.
 */
export function t<const Text extends string>(text: Text, ...[values]: Values<Text>): string {
  return translated(text, values)
}

/** The same for a word that other languages say in several ways: `tc('state of an order', 'Open')`. */
export function tc<const Text extends string>(context: string, text: Text, ...[values]: Values<Text>): string {
  return translated(text, values, context)
}
