import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = import.meta.dirname

/** All files that are loaded with one, from the folder of the service. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded
  loaded.add(file)
  const text = readFileSync(join(root, file), 'utf8')
  for (const [, target = ''] of text.matchAll(/^(?:import|export)\s(?!type\s)[^'(]*?from '(\.[^']+\.ts)'/gm)) {
    loadedWith(join(dirname(file), target), loaded)
  }
  return loaded
}

test('the database is started before what serves on it is loaded', () => {
  const first = [...loadedWith('service.ts')]
  expect(first).toContain('db/embedded/embedded-postgres.ts')
  expect(
    first.filter((file) => /^(?:app|run-service)\.ts$|^(?:cluster|context|gateway|http|live)\//.test(file)),
  ).toEqual([])
  expect([...loadedWith('run-service.ts')]).toContain('app.ts')
})
