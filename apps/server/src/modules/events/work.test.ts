import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Who writes events without a unit of work, with the reason why. */
const known: Record<string, string> = {
  'modules/events/work.ts': 'writes those of every unit of work',
  'modules/people/accounts/user-events.ts': 'what a person changes of themselves stands in several accounts',
}

/** Routes that begin a transaction for no account, with the reason why. */
const withoutTurns: Record<string, string> = {
  'modules/people/sign-in/passkeys.routes.ts': 'signing in: it is not known yet who asks',
}

const isTest = (file: string) => /(^|\/)test\/|\.test\.ts$|^(abuse|contract)\//.test(file)

test('events are recorded by a unit of work', () => {
  const writers = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !isTest(file))
    .filter((file) => /import \{[^}]*\brecordEvents?\b[^}]*\} from/.test(readFileSync(join(root, file), 'utf8')))
  expect(writers.sort()).toEqual(Object.keys(known).sort())
})

/** A transaction that does the work of a caller. */
const ofCaller = /\bdb\s*\.begin\((?:(?!\.begin(?:For)?\(|\n}\n)[\s\S])*?\bworkOf\(/

test('what a caller asks for takes the turns of its account at the database', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !isTest(file),
  )
  const texts = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)
  expect(texts.filter(([, text]) => /\.beginFor\(/.test(text)).length).toBeGreaterThan(30)
  const inRoutes = (file: string, text: string) => file.endsWith('.routes.ts') && /\bdb\s*\.begin\(/.test(text)
  const found = texts.filter(([file, text]) => ofCaller.test(text) || inRoutes(file, text)).map(([file]) => file)
  expect(found).toEqual(Object.keys(withoutTurns))
})
