import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { afterEach, expect, test, vi } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** After gzip. On a slow line in a workshop the overview stands within a second or two. */
const mostBytes = 250_000

/** Six travel at a time. */
const mostScripts = 12

/** What is fetched before the overview is drawn: the page's own script and these, with all they import. */
const firstShown = ['app/start.tsx', 'overview-page.tsx', 'member-layout.tsx', 'shell/shell.tsx']

afterEach(() => vi.unstubAllEnvs())

test('the scripts of the first page are few and stay below 250 KB', { timeout: 120_000 }, async () => {
  const chunks = await buildScripts()
  const starts = [...chunks.values()].filter(
    ({ isEntry, fileName, moduleIds }) =>
      // The service worker is fetched when the page stands.
      (isEntry && fileName !== 'sw.js') || firstShown.some((name) => moduleIds.some((id) => id.endsWith(name))),
  )
  expect(starts).toHaveLength(1 + firstShown.length)
  const needed = withImports(chunks, starts)

  const bytes = needed.reduce((sum, { code }) => sum + gzipSync(code).length, 0)
  expect(bytes, `${needed.length} scripts`).toBeLessThan(mostBytes)
  expect(needed.length).toBeLessThanOrEqual(mostScripts)
})

test('what waits for the language is in none of the scripts that fetch it', { timeout: 120_000 }, async () => {
  const chunks = await buildScripts()
  const before = withImports(
    chunks,
    [...chunks.values()].filter(({ name, isEntry }) => isEntry && name === 'index'),
  )
  const modules = before.flatMap(({ moduleIds }) => moduleIds).filter((id) => id.startsWith(root))
  const names = modules.map((id) => id.slice(root.length)).sort()
  expect(names).toEqual([
    'index.html',
    'src/app/main.tsx',
    ...['compile-message', 'language', 'languages', 'messages'].map((name) => `src/lib/i18n/${name}.ts`),
  ])
})

test('no scripts import each other in a circle', { timeout: 120_000 }, async () => {
  const chunks = await buildScripts()
  for (const chunk of chunks.values()) {
    const imported = chunk.imports.flatMap((name) => chunks.get(name) ?? [])
    expect(withImports(chunks, imported)).not.toContain(chunk)
  }
})

test('no script imports those that name the pages, which change with each of them', { timeout: 120_000 }, async () => {
  const chunks = await buildScripts()
  const naming = [...chunks.values()].filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName)
  // The page's own, the service worker, and those of the first page.
  expect(naming).toHaveLength(2 + firstShown.length)
  const imported = [...chunks.values()].flatMap(({ imports }) => imports)
  expect(imported.filter((name) => naming.includes(name))).toEqual([])
})

type Chunk = Rolldown.OutputChunk

let built: Promise<Map<string, Chunk>> | undefined

/** The scripts of the dashboard by their names, as they are released. */
function buildScripts(): Promise<Map<string, Chunk>> {
  // Otherwise React is built with what helps developers.
  vi.stubEnv('NODE_ENV', 'production')
  built ??= build({ root, logLevel: 'silent', build: { write: false } }).then((result) => {
    if (!('output' in result)) throw new Error('vite gave several builds')
    return new Map(result.output.flatMap((each) => (each.type === 'chunk' ? [[each.fileName, each] as const] : [])))
  })
  return built
}

/** These and all that they import. */
function withImports(chunks: Map<string, Chunk>, starts: Chunk[]): Chunk[] {
  const needed = new Set(starts)
  for (const { imports } of needed) {
    for (const name of imports) {
      const chunk = chunks.get(name)
      if (chunk) needed.add(chunk)
    }
  }
  return [...needed]
}
