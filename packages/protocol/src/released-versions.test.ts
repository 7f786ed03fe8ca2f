import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { currentMessages, listFrozen } from './test/frozen-messages.ts'
import { type MessageSchema, narrowings } from './test/narrowings.ts'

const current = currentMessages()
const frozen = listFrozen()

test('the messages of this version are frozen', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(frozen.map(([each]) => each)).toContain(version)
})

test.each(frozen)('a service of today understands all that a hub of %s says', (_, older) => {
  expect(narrowingsOf(older.hub, current.hub)).toEqual([])
})

test.each(frozen)('a hub of today understands all that a service of %s says', (_, older) => {
  expect(narrowingsOf(older.service, current.service)).toEqual([])
  expect(narrowingsOf(older.commands, current.commands)).toEqual([])
})

test.each(frozen)(
  'a service of %s understands all that a hub of today says, but for messages that it ignores',
  (_, older) => {
    expect(narrowingsOf(current.hub, older.hub)).toEqual([])
  },
)

test.each(frozen)(
  'a hub of %s understands all that a service of today says, but for messages that it ignores',
  (_, older) => {
    expect(narrowingsOf(current.service, older.service)).toEqual([])
    expect(narrowingsOf(current.commands, older.commands)).toEqual([])
  },
)

const text: MessageSchema = { type: 'string', maxLength: 10 }
const body = (properties: Record<string, MessageSchema>, required: string[] = Object.keys(properties)) => ({
  type: 'object',
  required,
  properties,
})
test.each<[string, MessageSchema, MessageSchema, string]>([
  ['a field that is required now', body({}), body({ a: text }), '/a: is required'],
  ['a field that may be left out now', body({ a: text }, []), body({ a: text }), '/a: is required'],
  ['a longer text', body({ a: { ...text, maxLength: 11 } }), body({ a: text }), '/a: maxLength 10'],
  [
    'a text that was a number',
    body({ a: { type: 'number' } }),
    body({ a: text }),
    '/a: number is sent, string is read',
  ],
  ['a part of a number', { type: 'number' }, { type: 'integer' }, ': number is sent, integer is read'],
  ['a lower number', { type: 'integer' }, { type: 'integer', minimum: 0 }, ': minimum 0'],
  ['null', { anyOf: [text, { type: 'null' }] }, text, ': null is sent, string is read'],
  ['another pattern', text, { ...text, pattern: '^a$' }, ': pattern ^a$'],
  ['a new value', { type: 'string', enum: ['a', 'b'] }, { type: 'string', enum: ['a'] }, ': the value b'],
  ['any text for one of some', text, { type: 'string', enum: ['a'] }, ': the value any text'],
  ['more items', { type: 'array', items: text }, { type: 'array', items: text, maxItems: 5 }, ': maxItems 5'],
  [
    'other items',
    { type: 'array', items: { type: 'null' } },
    { type: 'array', items: text },
    '/*: null is sent, string is read',
  ],
  ['anything', body({ a: {} }), body({ a: text }), '/a: anything is sent, string is read'],
])('%s is found', (_, sent, read, reason) => {
  expect(narrowings(sent, read)).toEqual([reason])
})

test('wider bounds, new fields and values of one of several kinds are understood', () => {
  const sent = body({ a: text, more: text, n: { type: 'integer', minimum: 1 } })
  const read = body({ a: { anyOf: [{ type: 'null' }, { type: 'string' }] }, n: { type: 'number', minimum: 0 } }, ['a'])
  expect(narrowings(sent, read)).toEqual([])
})

/** Of the messages that both know: a frame whose type is not known is ignored. */
function narrowingsOf(sent: Record<string, MessageSchema>, read: Record<string, MessageSchema>): string[] {
  return Object.keys(sent)
    .filter((name) => Object.hasOwn(read, name))
    .flatMap((name) => narrowings(sent[name] ?? {}, read[name] ?? {}, name))
}
