import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { redactLine, redactText } from './redact-log.ts'

const source = join(import.meta.dirname, '..', '..')

/** The texts that the program logs, as far as they stand in one piece where they are logged. */
function loggedTexts(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/test/.test(name))
    .flatMap((name) => {
      const text = readFileSync(join(source, name), 'utf8')
      return [...text.matchAll(/log\.(?:info|warn|error)\(\s*\{[^{}]*\},\s*'([^'\n]+)'/g)].map(
        ([, words]) => words ?? '',
      )
    })
}

test('what the program itself logs stays readable', () => {
  const texts = loggedTexts()
  expect(texts.length).toBeGreaterThan(50)
  const words = texts.join(' ').split(/\s+/).length
  const kept = texts.map(redactText).join(' ')
  const gaps = kept.split('…').length - 1
  // A new word is lost in bundles until it stands in log-words.ts; many would make them useless.
  expect(gaps / words).toBeLessThan(0.02)
})

test.each([
  [
    'PostgreSQL: could not write to file "pg_wal/0001": No space left on device',
    'PostgreSQL: could not write to file … No space left on device',
  ],
  ['terminated by signal SIGKILL', 'terminated by signal SIGKILL'],
  ['Key (email)=(ada@example.com) already exists.', 'Key … already exists.'],
  ['Will Stone ordered from Port Street', 'Will … from …'],
  ['the hub Garage disconnected', 'the hub … disconnected'],
  ['connect ECONNREFUSED 192.168.1.20:8883', 'connect ECONNREFUSED …'],
  ['0049151234567 called', '… called'],
])('%s', (text, shown) => {
  expect(redactText(text)).toBe(shown)
})

describe('a line', () => {
  test('keeps the fields that are known, each only in the form that it should have', () => {
    const line = {
      level: 'warn',
      time: '2026-01-01T00:00:00.000Z',
      printer_id: 'prn_01hzzzzzzzzzzzzzzzzzzzzzzz',
      hub_id: 'Garage',
      setting: 'SMTP_URL',
      signal: 'SIGTERM',
      took_ms: 12,
      phone: 491512345,
      actor: 'user:usr_01hzzzzzzzzzzzzzzzzzzzzzzz',
      err: {
        type: 'DriverError',
        message: 'refused',
        code: '23505',
        detail: 'Failing row contains (x).',
        cause: { code: 'K7PM2' },
      },
    }
    expect(JSON.parse(redactLine(JSON.stringify(line)))).toEqual({
      level: 'warn',
      time: '2026-01-01T00:00:00.000Z',
      printer_id: 'prn_01hzzzzzzzzzzzzzzzzzzzzzzz',
      setting: 'SMTP_URL',
      signal: 'SIGTERM',
      took_ms: 12,
      actor: 'user:usr_01hzzzzzzzzzzzzzzzzzzzzzzz',
      err: {
        type: 'DriverError',
        message: 'refused',
        code: '23505',
        fields_left_out: 1,
        cause: { fields_left_out: 1 },
      },
      fields_left_out: 2,
    })
  })

  test.each(['constructor', '__proto__', 'toString'])('with a field named %s has no surprise', (name) => {
    expect(redactLine(`{"${name}":"secret-text","code":"${name}","signal":"${name}","level":"info"}`)).toBe(
      '{"level":"info","fields_left_out":3}',
    )
  })
})
