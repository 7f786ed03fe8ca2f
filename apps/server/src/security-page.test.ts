import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const page = readFileSync(new URL('docs/security.md', root), 'utf8')
const rows = page.split('\n').filter((line) => /^\| V\d/.test(line))

test('each section of the standard has a test that is there, or a reason', () => {
  expect(rows.length).toBeGreaterThan(60)
  for (const row of rows) {
    const [, section, , shown = ''] = row.split('|')
    const tests = [...shown.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, path = '']) => path)
    if (tests.length === 0) expect(shown, section).toMatch(/no test/)
    for (const path of tests) expect(existsSync(new URL(path, root)), path).toBe(true)
  }
})
