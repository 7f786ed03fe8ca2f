import { expect, test } from 'vitest'
import { shareComponents } from './shared-components.ts'

function documentOf(...schemas: object[]) {
  const paths = Object.fromEntries(
    schemas.map((schema, index) => [
      `/things${index}`,
      { get: { responses: { 200: { description: 'A thing', content: { 'application/json': { schema } } } } } },
    ]),
  )
  return { openapi: '3.1.0', paths }
}

const thing = (properties: object) => ({ title: 'Thing', type: 'object', properties })
const name = { type: 'string', description: 'Its name' }

test('what has a title is written once', () => {
  const shared = shareComponents(documentOf(thing({ name }), thing({ name: { ...name } })))
  expect(shared).toMatchObject({ components: { schemas: { Thing: { type: 'object', properties: { name } } } } })
  expect(JSON.stringify(shared.paths).match(/#\/components\/schemas\/Thing/g)).toHaveLength(2)
})

test('two different schemas of one title are refused', () => {
  expect(() => shareComponents(documentOf(thing({ name }), thing({ name, size: { type: 'integer' } })))).toThrow(
    'Two different schemas have the title Thing',
  )
})
