import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { describe, expect, test } from 'vitest'
import { type LooseText, readSources, type SourceText } from '../../test/source-texts.ts'
import { compileMessage } from './compile-message.ts'
import { languages } from './languages.ts'

const { texts, loose } = readSources()

/** What is the same in every language, and what no one reads. */
const names = new Set([
  // Makers, shops, services and systems, and their formats.
  ...['Printyard', 'Prusa', 'Bambu Lab', 'Klipper (Moonraker)', 'OctoPrint', 'PrusaLink', 'Elegoo', 'Creality'],
  ...['Shopify', 'Etsy', 'WooCommerce', 'Telegram', 'Discord', 'Slack', 'Matrix'],
  ...['Edge', 'Opera', 'Samsung Internet', 'Firefox', 'Chrome', 'Safari', 'Android', 'Windows', 'Mac', 'Linux'],
  ...['SKU', 'SKUs', 'CSV', 'URL', 'PLA', '#RRGGBB', 'https://', 'https://…', 'job_…'],
])

/** By their files: code that looks like words. */
const code: Readonly<Record<string, readonly string[]>> = {
  'app/start.tsx': ['index.html has no element with the id "root"'],
  'lib/session.ts': ['this page is shown to people who are signed in'],
  'lib/money.ts': [
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    'BHD IQD JOD KWD LYD OMR TND',
    'CLF UYW',
  ],
  'ui/theme.ts': ['ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono", monospace'],
  'features/hubs/join-command.ts': [
    ' --ca-fingerprint …',
    '…… hub join … ……',
    '…… hub run',
    'node scripts/run.mjs printyard',
  ],
  'features/settings/leaving/transfer-commands.ts': [
    'npx printyard export --account … --to …',
    'npx printyard import … --account …',
  ],
  // As catalogues name the events of it.
  'lib/words/event-words.ts': ['authenticator app'],
  'features/orders/intake/import-form.tsx': ['import-placeholder'],
}

test('no text of the dashboard is outside the library', () => {
  const isAllowed = ({ file, text }: LooseText) => names.has(text) || code[file]?.includes(text)
  expect(loose.filter((each) => !isAllowed(each))).toEqual([])
  // What is gone from the code is gone from the list.
  const listed = Object.entries(code).flatMap(([file, all]) => all.map((text) => `${file}: ${text}`))
  const found = new Set(loose.map(({ file, text }) => `${file}: ${text}`))
  expect(listed.filter((each) => !found.has(each))).toEqual([])
})

test('each message is read as the library of messages reads it', () => {
  for (const { text } of texts) expect(compileMessage(text), text).toEqual(plain(compileMessageOrThrow(text)))
})

/** Areas whose texts are not written yet. They shrink to nothing. */
const unwritten: Readonly<Record<string, readonly string[]>> = {
  de: [],
}

describe.each(Object.keys(languages).filter((language) => language !== 'en'))('the catalogue %s', (language) => {
  const folder = join(import.meta.dirname, language)
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const areas = files.map((name) => {
    const entries = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, string>
    return { area: name.replace('.json', ''), entries }
  })

  test('has each text of the code once, in the file of its area, and none more', () => {
    const filed = areas.flatMap(({ area, entries }) => Object.keys(entries).map((key) => `${area}: ${key}`))
    expect(filed.sort()).toEqual(texts.map(({ area, key }) => `${area}: ${key}`).sort())
  })

  test('leaves none empty', () => {
    const empty = areas
      .filter(({ area }) => !unwritten[language]?.includes(area))
      .flatMap(({ area, entries }) => Object.keys(entries).flatMap((key) => (entries[key] ? [] : [`${area}: ${key}`])))
    expect(empty).toEqual([])
  })

  test('names the same values and elements in each, and has all forms of a plural that the language has', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const written: Record<string, string> = Object.assign({}, ...areas.map(({ entries }) => entries))
    const wrong = texts.filter((source) => {
      const text = written[source.key]
      return text && problemOf(source, text, forms) !== undefined
    })
    expect(wrong.map((source) => `${problemOf(source, written[source.key] ?? '', forms)}: ${source.key}`)).toEqual([])
  })
})

type Token = ReturnType<typeof compileMessageOrThrow>[number]

/** Lingui notes an offset of plurals, which ours do not have. */
function plain(tokens: readonly Token[]): unknown[] {
  return tokens.map((token) => {
    if (!Array.isArray(token)) return token
    const [name, kind, forms] = token
    if (typeof forms !== 'object') return token
    const { offset: _, ...cases } = forms as unknown as Record<string, Token[]>
    return [name, kind, Object.fromEntries(Object.entries(cases).map(([form, inner]) => [form, plain(inner)]))]
  })
}

/** Values that a text takes, with the forms of its plurals. */
function valuesOf(tokens: readonly unknown[]): { names: Set<string>; forms: string[][] } {
  const names = new Set<string>()
  const forms: string[][] = []
  for (const token of tokens) {
    if (!Array.isArray(token)) continue
    const [name, kind, cases] = token as [string, string?, Record<string, unknown[]>?]
    names.add(kind === undefined ? name : `${name} (${kind})`)
    if (cases === undefined) continue
    forms.push(Object.keys(cases))
    for (const inner of Object.values(cases)) {
      const within = valuesOf(inner)
      for (const each of within.names) names.add(each)
      forms.push(...within.forms)
    }
  }
  return { names, forms }
}

/** What a translation lacks or has too much. */
function problemOf({ text: source, isRich }: SourceText, text: string, wanted: readonly string[]): string | undefined {
  const given = valuesOf(plain(compileMessageOrThrow(source)))
  const found = valuesOf(plain(compileMessageOrThrow(text)))
  const bare = (names: Set<string>) =>
    [...names]
      .map((name) => name.replace(/ .*/, ''))
      .sort()
      .join()
  if (bare(given.names) !== bare(found.names)) return `has ${bare(found.names) || 'no values'}`
  if (found.forms.some((forms) => wanted.some((form) => !forms.includes(form)))) return 'lacks a form of a plural'
  if (/^\s|\s$/.test(source) !== /^\s|\s$/.test(text)) return 'has another space at an end'
  const tags = (each: string) => [...new Set([...each.matchAll(/<\/?(\w+)>/g)].map(([, tag]) => tag))].sort().join()
  return isRich && tags(source) !== tags(text) ? `has the elements ${tags(text)}` : undefined
}
