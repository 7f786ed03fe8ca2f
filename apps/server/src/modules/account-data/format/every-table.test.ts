import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exportedTables } from './exported-tables.ts'
import { describeFormat, formatPage } from './format-page.ts'
import { composedKinds, leftOutTables } from './other-tables.ts'

/** Tables and their columns, as they are printed from the migrated database. */
function readTables(): Map<string, string[]> {
  const text = readFileSync(join(import.meta.dirname, '../../../db/rows.generated.ts'), 'utf8')
  const types = text.matchAll(/\/\*\* A row of `([a-z_]+)`\. \*\/\nexport type \w+ = \{\n([\s\S]*?)\n\}/g)
  return new Map(
    [...types].map(([, table = '', fields = '']) => [
      table,
      [...fields.matchAll(/^ {2}([a-z0-9_]+):/gm)].map(([, column = '']) => column),
    ]),
  )
}

const tables = readTables()

describe('every table of the service', () => {
  test('is exported, or is left out with a reason', () => {
    const composed = composedKinds.flatMap((kind) => kind.tables)
    const named = [...composed, ...exportedTables.map(({ name }) => name), ...Object.keys(leftOutTables)]
    // Printed types do not have the ledger of migrations.
    expect(named.filter((name) => name !== 'schema_migrations').toSorted()).toEqual([...tables.keys()].toSorted())
    for (const [table, reason] of Object.entries(leftOutTables)) expect(reason, table).toMatch(/^[A-Z].+\.$/)
  })

  test.each(exportedTables.map((table) => [table.name, table] as const))(
    '%s: every column is exported, or is left out with a reason',
    (name, { columns, key, late, without }) => {
      const leftOut = Object.values(without).flat()
      expect(['account_id', ...columns, ...leftOut].toSorted()).toEqual(tables.get(name)?.toSorted())
      expect(columns).toEqual(expect.arrayContaining([...key, ...late]))
    },
  )

  test('no column that looks like a secret is exported', () => {
    const suspicious = /hash$|sealed|secret|password|private|public_key|challenge|credential|api_key/
    // Addresses of images, which anyone may open who has them, and what files are found by.
    const exported = exportedTables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`))
    expect(exported.filter((column) => suspicious.test(column))).toEqual([])
    expect(exported.filter((column) => /token/.test(column))).toEqual(['wiki_images.token', 'product_images.token'])
    const composed = composedKinds.flatMap(({ columns }) => [...columns]) as string[]
    expect(composed.filter((column) => suspicious.test(column))).toEqual([])
  })
})

test('the page of the format says what is exported', () => {
  expect(readFileSync(formatPage, 'utf8')).toBe(describeFormat())
})
