import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { columnReasons, exportedTables } from './exported-tables.ts'
import { formatVersion } from './manifest.ts'
import { composedKinds, leftOutTables } from './other-tables.ts'

/** The page of the export format, written by this program: `node apps/server/src/modules/account-data/format/format-page.ts`. */
export const formatPage = join(import.meta.dirname, '../../../../../../docs/export-format.md')

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

export function describeFormat(): string {
  const composed = composedKinds.map(({ name, about, columns }) => `### ${name}\n\n${about}\n\n${code([...columns])}`)
  const tables = exportedTables.map(({ name, about, columns, key, without }) => {
    const leftOut = Object.entries(without).map(
      ([reason, names]) => `Not in it: ${code(names)}. ${columnReasons[reason as keyof typeof columnReasons]}`,
    )
    const order = key.length === 0 ? 'One line at most.' : key.join() === 'id' ? '' : `Told apart by ${code(key)}.`
    return [`### ${name}`, [about, order].filter(Boolean).join(' '), code(columns), ...leftOut].join('\n\n')
  })
  const reasons = Object.entries(leftOutTables)
    .filter(([table]) => table !== 'schema_migrations')
    .map(([table, reason]) => `| \`${table}\` | ${reason} |`)
  return `# The export format

What \`printyard export\` writes ([leaving and arriving](leaving-and-arriving.md)): version ${formatVersion}. Kinds and columns may be added under the same
number; a reader that does not know one should say so rather than lose it, as \`printyard import\` does. Any other change takes a new number.

| path | what it is |
| --- | --- |
| \`manifest.json\` | what is in the export: kinds with their columns, rows and SHA-256, files, what is left out and why |
| \`SHA256SUMS\` | every part with its SHA-256: \`sha256sum --check SHA256SUMS\` |
| \`data/KIND.jsonl\` | the rows of a kind: UTF-8, a JSON object on each line, in the order of their key |
| \`spreadsheets/NAME.csv\` | printers, products, stock movements, orders, jobs and spools for people; an import reads none of them |
| \`files/AB/SHA256\` | the content of print files and images, each once, by its SHA-256 |

One \`.tar.gz\` holds the same, the manifest last: an archive without it was broken off.

- **IDs** have a prefix that tells their kind. They are kept by an import, so that labels and other systems stay right.
- **Times** are ISO 8601 with microseconds, in UTC. **Amounts** of orders are whole numbers in the minor unit of their currency
  (cents); those of the kinds with prices and fees, as in [costs](costs.md), are whole millionths of the currency. **Weights of materials** (\`remaining\`, \`low_threshold\`, \`spool_weight\`, \`change\`, \`milligrams\`) are
  milligrams of filament, else pieces.
- **Columns** are named as in the public API where both have them. \`null\` is what is not known.
- **References** name rows of the same export by ID. Actors (\`actor\`, \`created_by\`) are texts such as \`user:usr_…\`, \`key:key_…\`, \`hub:hub_…\` or \`system\`.
- \`content_id\` is the SHA-256 over \`KIND SHA256\` and \`file SHA256\` lines: two exports with the same content have the same.
- All rows are of the moment \`taken_at\`: one snapshot of the database. Files that could not be read then are in \`missing_files\`.

## Kinds

In the order in which they can be loaded: each names only rows of kinds before it, but for \`wiki_id\` of products.

${[...composed, ...tables].join('\n\n')}

## What is not in it

| table of the service | why |
| --- | --- |
${reasons.join('\n')}
`
}

if (import.meta.main) writeFileSync(formatPage, describeFormat())
