import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from './node24.mjs'

/** Folders of which each has its row in CONTRIBUTING.md, by how their names begin there. */
const mapped = { 'src/': 'apps/server/src', 'modules/': 'apps/server/src/modules', 'e2e/': 'e2e' }

const guide = readFileSync(join(projectRoot, 'CONTRIBUTING.md'), 'utf8')

/** What the rows of a table are about. Of several in a row, a bare name stands beside the one before it. */
function listRows(table: string): Set<string> {
  const names = [...table.matchAll(/^\| (`[^|]+`)\s*\|/gm)].flatMap(([, cell = '']) => {
    let beside = ''
    return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => {
      if (/.\/./.test(name)) beside = posix.dirname(name)
      return /.\/./.test(name) ? name : posix.join(beside, name)
    })
  })
  return new Set(names)
}

function findMissing(rows: Set<string>, folders: readonly string[]): string[] {
  return folders.filter((folder) => !rows.has(`${folder}/`))
}

test.each(Object.entries(mapped))('each folder %s… has its row in the map', (prefix, place) => {
  const folders = readdirSync(join(projectRoot, place), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['node_modules', 'dist'].includes(entry.name))
    .map(({ name }) => `${prefix}${name}`)
  expect(folders.length).toBeGreaterThan(10)
  expect(findMissing(listRows(guide), folders)).toEqual([])
})

test('a folder without a row would be found', () => {
  const rows = listRows(
    '| `modules/jobs/` | `modules/told/` |\n| `modules/hubs/`, `hub-reports/` | hubs |\n| `e2e/`   | tests |\n',
  )
  expect(findMissing(rows, ['modules/jobs', 'modules/hub-reports', 'e2e'])).toEqual([])
  expect(findMissing(rows, ['modules/told', 'hub-reports', 'modules/costs'])).toEqual([
    'modules/told',
    'hub-reports',
    'modules/costs',
  ])
})
