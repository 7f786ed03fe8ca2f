import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)

/** The files that keep something in the browser, with what they keep; the token of a session stands in a cookie that no script reads. */
const keepers = {
  'lib/i18n/language.ts': 'the language',
  'worker/shell.ts': 'the files of the dashboard itself, which are the same for everybody',
}

test('pages keep nothing in the browser but the language and themselves', () => {
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.startsWith('test/'),
  )
  expect(sources.length).toBeGreaterThan(200)
  const storing = sources.filter((path) =>
    /\b(localStorage|sessionStorage|indexedDB|cookieStore)\b|\bcaches\.|document\.cookie/.test(
      readFileSync(new URL(path, root), 'utf8'),
    ),
  )
  expect(storing.toSorted()).toEqual(Object.keys(keepers))
})
