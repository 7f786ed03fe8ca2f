import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { writeApiSchema, writeType } from './api-schema-text.ts'
import { apiSchemaFile, printApiSchema } from './generate-api-schema.ts'

test('the checked-in types match the API description', () => {
  expect(readFileSync(apiSchemaFile, 'utf8'), 'run: node apps/web/src/lib/api/generate-api-schema.ts').toBe(
    printApiSchema(),
  )
})

test.each([
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ enum: ['a', null] }, '"a" | null'],
  [{ type: 'array', items: { $ref: '#/components/schemas/Job' } }, 'Array<Job>'],
  [{ type: 'object', additionalProperties: true }, 'Record<string, unknown>'],
  [
    { type: 'object', properties: { a: { type: 'integer' }, 'b-c': {} }, required: ['a'] },
    '{\n  a: number\n  "b-c"?: unknown | undefined\n}',
  ],
])('%j is written as a type', (schema, type) => {
  expect(writeType(schema, '')).toBe(type)
})

test('a route has what goes in and the data that comes out, under its method and path', () => {
  const description = {
    components: { schemas: {} },
    paths: {
      '/public/v1/jobs/{id}': {
        get: {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: {
            200: { content: { 'application/json': { schema: { properties: { data: { type: 'string' } } } } } },
          },
        },
      },
      '/hub/v1/join': { post: {} },
      '/app/v1/sign-out': { post: {} },
    },
  }
  const text = writeApiSchema([description])
  expect(text).toContain("  'GET /jobs/{id}': { params: { id: string }; data: string }")
  expect(text).toContain("  'POST /sign-out': { data: unknown }")
  expect(text).not.toContain('join')
})

test('one name for two different schemas is refused', () => {
  const withUser = (type: string) => ({ paths: {}, components: { schemas: { User: { type } } } })
  expect(() => writeApiSchema([withUser('string'), withUser('string')])).not.toThrow()
  expect(() => writeApiSchema([withUser('string'), withUser('number')])).toThrow('User has two different schemas')
})
