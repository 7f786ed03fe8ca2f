import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = import.meta.dirname

/** Rooms of tests, and the generated row types, whose columns `db/row-types.ts` names. */
const isLeftOut = (file: string) => /(^|\/)test\/|\.test\.ts$|\.generated\.ts$|^(abuse|contract)\//.test(file)

/** What has IDs, by the names of parameters and columns. */
const things =
  'account|api_?key|article|assembly|attempt|color|command|event|failure|file|hub|image|invitation|item|job|key|material|' +
  'member|order|printer|product|session|sku|task|upload|user|version'

/** The ID of a thing that is typed as any text: `printerId: string`, `print_file_id: string | null`, `jobIds: string[]`. */
const untyped = new RegExp(`\\b\\w*(?:${things})_?ids?\\??: (?:readonly |\\()?string\\b`, 'i')

/** A text that is taken for an ID without a look at it. */
const cast = /\bas (?:\w*Id\b|Id<)/

/** Where an ID is made, and where a text from outside becomes one: `newId`, `readId` and, for what hubs say, `fromHub`. */
const makers = ['kernel/ids.ts']

const linesOf = (text: string, form: RegExp) => text.split('\n').filter((line) => form.test(line))

describe('IDs', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !isLeftOut(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  const found = (form: RegExp) =>
    files.flatMap(({ file, text }) => linesOf(text, form).map((line) => `${file}: ${line}`))

  test('the ID of a thing has the type of its kind', () => {
    expect(files.length).toBeGreaterThan(300)
    expect(found(untyped)).toEqual([])
  })

  test('no text is taken for an ID but where IDs are made and read', () => {
    expect(found(cast).filter((line) => !makers.some((file) => line.startsWith(`${file}:`)))).toEqual([])
  })

  test('an ID that is any text, or is taken from one, would be found', () => {
    for (const line of [
      'accountId: string,',
      'printer_id?: string',
      'jobIds: readonly string[]',
      'toAccountId: string',
    ]) {
      expect(line).toMatch(untyped)
    }
    for (const line of ['printerId: PrinterId,', 'preset_id: string', 'clientId: string', 'callerId: string']) {
      expect(line).not.toMatch(untyped)
    }
    expect('find(sql, text as JobId)').toMatch(cast)
    expect('find(sql, text as Id<Kind>)').toMatch(cast)
  })
})
