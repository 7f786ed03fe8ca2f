import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = import.meta.dirname

/** Test rooms, which may keep what they like. */
const testRooms = ['test/', 'abuse/', 'contract/', 'db/test-processes/']

/** What stands outside of `Context` and the objects that a service creates, each with the reason why it may. */
const known: Record<string, string> = {
  'db/commit-notices.ts deliveries': 'a property of each handle, found by the handle itself',
  'db/driver/statement.ts origins': 'a property of each template of a statement, found by the template itself',
  'file-store/hash-thread-program.ts files': 'the program of a thread, which is all that there is in it',
  'http/schema.ts failureSchemas': 'schemas of error answers, which never change; most routes have the same',
  'kernel/ids.ts lastHead': 'IDs of one process must grow, whichever of its services makes them',
  'kernel/ids.ts lastMs': 'IDs of one process must grow, whichever of its services makes them',
  'kernel/ids.ts lastRandom': 'IDs of one process must grow, whichever of its services makes them',
  'operations/process-metrics.ts registry': 'the observers of a process, whichever of its services is asked',
  'modules/catalogue/images/thumbnails.ts decoder': 'a library that is loaded at its first use',
  'modules/people/accounts/common-passwords.ts estimator': 'a library that is loaded at its first use',
  'modules/matching/working-hours.ts formats': 'formatters, which never change and are slow to make',
}

/** Names of what a file keeps at its top level from one call to the next: variables, and collections that start empty. */
function stateIn(text: string): string[] {
  const variables = /^(?:export )?let (\w+)/gm
  const collections =
    /^(?:export )?const (\w+)[^=\n]*= (?:new (?:Map|Set|WeakMap|WeakSet)(?:<.*>)?\(\)|\[\]|\{\})(?: as .*)?$/gm
  return [variables, collections].flatMap((form) => [...text.matchAll(form)].map(([, name = '']) => name))
}

function isProduct(file: string): boolean {
  return file.endsWith('.ts') && !file.endsWith('.test.ts') && !testRooms.some((room) => file.startsWith(room))
}

test('what a service remembers lives in its context, not beside it in modules', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(isProduct)
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((file) =>
    stateIn(readFileSync(join(root, file), 'utf8')).map((name) => `${file} ${name}`),
  )
  expect(found.toSorted()).toEqual(Object.keys(known).toSorted())
})

test('state of a module would be found, and constants are none', () => {
  const text = [
    'let count = 0',
    'export let last: Date | undefined',
    'const seen = new Map<string, Map<string, number>>()',
    'const known: WeakMap<object, string> = new WeakMap()',
    'export const lines: string[] = []',
    "const words = new Set(['a', 'b'])",
    'function count() {',
    '  const inside = new Map()',
    '}',
  ].join('\n')
  expect(stateIn(text)).toEqual(['count', 'last', 'seen', 'known', 'lines'])
})
