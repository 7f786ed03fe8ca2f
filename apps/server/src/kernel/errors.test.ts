import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalogue, type ErrorCode } from './errors.ts'

const pages = new URL('../../../../docs/errors/', import.meta.url)
const codes = Object.keys(catalogue) as ErrorCode[]
const readPage = (name: string) => readFileSync(new URL(`${name}.md`, pages), 'utf8')

test('every code has a page, and every page has a code', () => {
  const names = readdirSync(pages)
    .filter((name) => name !== 'README.md')
    .map((name) => name.replace(/\.md$/, ''))
  expect(names.sort()).toEqual([...codes].sort())
})

test('the index lists every code once, with its page and its status', () => {
  const rows = readPage('README')
    .split('\n')
    .flatMap((line) => /^\| \[(\w+)\]\((\w+)\.md\) +\| (\d{3}) +\|/.exec(line)?.slice(1, 4).join(' ') ?? [])
  expect(rows.sort()).toEqual(codes.map((code) => `${code} ${code} ${catalogue[code][0]}`).sort())
})

test.each(codes)('the page of %s names its status, and its example is what the service answers', (code) => {
  const [status, sentence] = catalogue[code]
  const page = readPage(code)
  expect(page).toMatch(new RegExp(`^# ${code}\n\nHTTP status: ${status}\\.`))
  const example = JSON.parse(/```json\n([\s\S]+?)```/.exec(page)?.[1] ?? 'null')
  expect(example).toMatchObject({ success: false, error: { code } })
  expect(example.error.message).toMatch(sentencePattern(sentence))
  const hasDetails = !page.includes('## Details\n\nNone.\n')
  expect('details' in example.error).toBe(hasDetails)
})

test.each(codes)('the links on the page of %s lead to pages', (code) => {
  const targets = [...readPage(code).matchAll(/\]\(([^)]+)\.md\)/g)].map(([, target]) => target)
  expect(codes).toEqual(expect.arrayContaining(targets))
})

/** Whatever an example fills in for `{name}` is right; all else must be the sentence of the catalogue. */
function sentencePattern(sentence: string): RegExp {
  const parts = sentence.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.+')}$`)
}
