import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Who writes events without a unit of work, with the reason why. */
const known: Record<string, string> = {
  'modules/events/work.ts': 'writes those of every unit of work',
  'modules/people/accounts/user-events.ts': 'what a person changes of themselves stands in several accounts',
}

const isTest = (file: string) => /(^|\/)test\/|\.test\.ts$|^(abuse|contract)\//.test(file)

test('events are recorded by a unit of work', () => {
  const writers = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !isTest(file))
    .filter((file) => /import \{[^}]*\brecordEvents?\b[^}]*\} from/.test(readFileSync(join(root, file), 'utf8')))
  expect(writers.sort()).toEqual(Object.keys(known).sort())
})
