import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSources } from '../../test/source-texts.ts'
import { languages } from './languages.ts'

// Brings the catalogues up to what the code says: what is new stands there as an empty text to be written, what is not
// said any more is gone.
const { texts } = readSources()
for (const language of Object.keys(languages).filter((each) => each !== 'en')) {
  const folder = join(import.meta.dirname, language)
  mkdirSync(folder, { recursive: true })
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const known: Record<string, string> = Object.assign(
    {},
    ...files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8'))),
  )
  const areas = new Map<string, Record<string, string>>()
  for (const { key, area } of texts) {
    const entries = areas.get(area) ?? {}
    areas.set(area, entries)
    entries[key] = known[key] ?? ''
  }
  for (const [area, entries] of areas)
    writeFileSync(join(folder, `${area}.json`), `${JSON.stringify(entries, null, 2)}\n`)
  const missing = texts.filter(({ key }) => !known[key])
  console.log(`${language}: ${texts.length} texts in ${areas.size} files, ${missing.length} to be written.`)
}
