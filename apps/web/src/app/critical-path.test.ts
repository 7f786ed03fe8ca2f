import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { afterEach, expect, test, vi } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** After gzip. On a slow line in a workshop the overview stands within a second or two. */
const mostBytes = 250_000

/** What is fetched before the overview is drawn: the page's own script and these, with all they import. */
const firstShown = ['app/start.tsx', 'overview-page.tsx', 'member-layout.tsx', 'shell/shell.tsx']

afterEach(() => vi.unstubAllEnvs())

test('the scripts of the first page stay below 250 KB', { timeout: 120_000 }, async () => {
  // Otherwise React is built with what helps developers.
  vi.stubEnv('NODE_ENV', 'production')
  const result = await build({ root, logLevel: 'silent', build: { write: false } })
  if (!('output' in result)) throw new Error('vite gave several builds')
  const chunks = new Map(
    result.output.flatMap((each) => (each.type === 'chunk' ? [[each.fileName, each] as const] : [])),
  )
  const needed = new Set<string>()
  const need = (name: string) => {
    const chunk = chunks.get(name)
    if (!chunk || needed.has(name)) return
    needed.add(name)
    for (const imported of chunk.imports) need(imported)
  }
  const starts = [...chunks.values()].filter(
    ({ isEntry, fileName, moduleIds }) =>
      // The service worker is fetched when the page stands.
      (isEntry && fileName !== 'sw.js') || firstShown.some((name) => moduleIds.some((id) => id.endsWith(name))),
  )
  expect(starts).toHaveLength(1 + firstShown.length)
  for (const { fileName } of starts) need(fileName)

  const bytes = [...needed].reduce((sum, name) => sum + gzipSync(chunks.get(name)?.code ?? '').length, 0)
  expect(bytes, `${needed.size} scripts`).toBeLessThan(mostBytes)
})
