import { createElement, isValidElement, type ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { preferredLanguage } from './languages.ts'
import { takeCatalogue } from './messages.ts'
import { timeLocale } from './reader-locale.ts'
import { Rich } from './rich.tsx'
import { serviceSentence } from './service-sentence.ts'
import { t, tc } from './t.ts'

afterEach(() => takeCatalogue('en', {}))

/** What is drawn, elements as `[type: words]`. */
function drawn(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(drawn).join('')
  if (!isValidElement<{ children?: ReactNode }>(node)) return node === null || node === undefined ? '' : String(node)
  const words = drawn(node.props.children)
  return typeof node.type === 'string' ? `[${node.type}: ${words}]` : words
}

test('a text is its own English, and numbers in plurals are written as such', () => {
  expect(t('{count, plural, one {# job} other {# jobs}}', { count: 1 })).toBe('1 job')
  expect(t('{count, plural, one {# job} other {# jobs}}', { count: 1204 })).toBe('1,204 jobs')
  expect(t('The file {name} is saved', { name: "'{x}' #1" })).toBe("The file '{x}' #1 is saved")
})

test('a text is shown in the language, with its own rules; what it lacks in English', () => {
  takeCatalogue('de', {
    '{count, plural, one {# job} other {# jobs}}': '{count, plural, one {# Auftrag} other {# Aufträge}}',
    'priority|Low': 'Niedrig',
    Low: 'Knapp',
    Empty: '',
  })
  expect(t('{count, plural, one {# job} other {# jobs}}', { count: 1204 })).toBe('1.204 Aufträge')
  expect([t('Low'), tc('priority', 'Low'), tc('elsewhere', 'Low')]).toEqual(['Knapp', 'Niedrig', 'Low'])
  expect([t('Empty'), t('Not there at all')]).toEqual(['Empty', 'Not there at all'])
})

test('elements stand where the language wants them, and what people typed is never read as one', () => {
  const values = {
    name: '<link>mine</link>',
    link: (words: ReactNode) => createElement('a', null, words),
  }
  const text = 'See {name} in <link>the list</link>'
  expect(drawn(Rich({ text, values }))).toBe('See <link>mine</link> in [a: the list]')
  takeCatalogue('de', { [text]: 'In <link>der Liste</link> steht {name}' })
  expect(drawn(Rich({ text, values }))).toBe('In [a: der Liste] steht <link>mine</link>')
})

test('a sentence of the service is told in the language with what stands in it, and any other as it is', () => {
  const source = 'Only {available} left: not enough for this.'
  const said = 'Only 3.5 g left: not enough for this.'
  expect(serviceSentence(said)).toBe(said)
  takeCatalogue('de', { [source]: 'Nur noch {available} übrig: nicht genug dafür.' }, [source])
  expect(serviceSentence(said)).toBe('Nur noch 3.5 g übrig: nicht genug dafür.')
  expect(serviceSentence(`${said} Or is it?`)).toBe(`${said} Or is it?`)
})

test('a browser is answered in the first language that it asks for and we have', () => {
  expect(preferredLanguage(['fr-FR', 'de-AT', 'en'])).toBe('de')
  expect(preferredLanguage(['EN-us', 'de'])).toBe('en')
  expect(preferredLanguage(['fr', 'toString'])).toBe('en')
})

test('times are written in the language of the page, with the hours of the reader', () => {
  expect(timeLocale('en', 'en-GB', [])).toBeUndefined()
  expect(timeLocale('de', 'en-US', ['en-US', 'de-AT'])).toBe('de-AT')
  expect(timeLocale('en', 'de-DE', ['de-DE'])).toBe('en-u-hc-h23')
  expect(timeLocale('de', 'en-US', ['en-US'])).toBe('de-u-hc-h12')
})
