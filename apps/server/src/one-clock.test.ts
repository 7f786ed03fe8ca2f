import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = import.meta.dirname

/** Rooms of tests, and what runs before there is a clock to pass. */
const isLeftOut = (file: string) => /(^|\/)test\/|\.test\.ts$|^(abuse|contract|db|kernel)\//.test(file)

/** The clock of the database in a statement; `clock.now()` and `Date.now()` are another thing. */
const databaseClock = /(?<![.\w])now\(\)|\b(current|clock|statement|transaction)_timestamp\b/

/** A time that a function is given: a parameter or a field of one. */
const passedTime = /\b\w+\??: Date\b/

const usesTwoClocks = (text: string) => databaseClock.test(text) && passedTime.test(text)

describe('the clock', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !isLeftOut(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

  test('where a time is passed, no statement asks the database for another one', () => {
    expect(files.length).toBeGreaterThan(200)
    expect(files.filter(({ text }) => usesTwoClocks(text)).map(({ file }) => file)).toEqual([])
  })

  test('two clocks in one file would be found', () => {
    const passed = 'function end(at: Date) {'
    expect(usesTwoClocks(`${passed} sql\`update jobs set ended_at = \${at}, updated_at = now()\` }`)).toBe(true)
    expect(usesTwoClocks(`${passed} sql\`update jobs set updated_at = current_timestamp\` }`)).toBe(true)
    expect(usesTwoClocks(`${passed} const now = context.clock.now() }`)).toBe(false)
    expect(usesTwoClocks('sql`update colors set updated_at = now()`')).toBe(false)
  })
})
