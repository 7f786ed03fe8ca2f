import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectionProblems } from '@printyard/protocol/connection-problems'
import { expect, test } from 'vitest'

const docs = join(import.meta.dirname, '../../../../docs/hub')
const page = (name: string) => readFileSync(join(docs, `${name}.md`), 'utf8').toLowerCase()
const common = page('readme'.toUpperCase())

/** The words that a driver hands out with an error: the longest stretch of each that is the same every time. */
function sentencesOf(family: string): string[] {
  const folder = join(import.meta.dirname, family)
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
  return sources.flatMap((name) => {
    const source = readFileSync(join(folder, name), 'utf8')
    const literal =
      /new (?:Driver|Still|CredentialsRefused)Error\(\s*(?:'[A-Z_]+',\s*)?(?:'([^'\n]+)'|"([^"\n]+)"|`([^`\n]+)`)/g
    return [...source.matchAll(literal)].map(([, single, double, template]) => {
      const stretches = (single ?? double ?? template ?? '').split(/\$\{[^}]*\}/)
      return stretches.reduce((longest, stretch) => (stretch.length > longest.length ? stretch : longest)).trim()
    })
  })
}

/** Every word of a sentence stands on a page near the others: pages join sentences that begin alike. */
function isNamed(text: string, sentence: string): boolean {
  const words = sentence
    .toLowerCase()
    .replace(/[():,;]/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
  return text.split('\n').some((line) => words.every((word) => line.includes(word)))
}

test.each(['octoprint', 'moonraker', 'prusalink', 'bambu', 'elegoo', 'creality'])(
  'the page of %s names every sentence that its driver refuses by',
  (family) => {
    const sentences = sentencesOf(family)
    expect(sentences.length).toBeGreaterThan(3)
    const own = page(family)
    expect(sentences.filter((sentence) => !isNamed(own, sentence) && !isNamed(common, sentence))).toEqual([])
  },
)

test('every reason of a problem is explained', () => {
  const explained = common + page('discovery')
  const reasons = Object.keys(connectionProblems)
  expect(reasons.length).toBeGreaterThan(20)
  expect(reasons.filter((reason) => !explained.includes(`| \`${reason}\``))).toEqual([])
})
