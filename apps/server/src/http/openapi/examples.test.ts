import Type from 'typebox'
import { expect, test } from 'vitest'
import { nullable, oneOf, resource, timestamp } from '../schema.ts'
import { exampleOf } from './examples.ts'

function example(schema: unknown, place = 'GET /printers 200') {
  const missing: string[] = []
  return [exampleOf(schema, place, missing), missing]
}

test('an example is put together from what the properties say', () => {
  const schema = resource('Thing', 'A thing', {
    kind: nullable(oneOf(['big', 'small'])),
    made_at: nullable(timestamp('When it was made')),
    code: Type.String({ examples: ['X-1'] }),
    parts: Type.Array(Type.Object({ count: Type.Integer({ minimum: 2 }), is_new: Type.Boolean() }), { minItems: 2 }),
  })
  const part = { count: 2, is_new: true }
  const value = { kind: 'big', made_at: '2026-11-20T09:30:00.000Z', code: 'X-1', parts: [part, part] }
  expect(example(schema)).toEqual([value, []])
})

test('an ID is that of what stands nearest around it', () => {
  const skus = Type.Array(Type.Object({ id: Type.String() }))
  const product = Type.Object({ id: Type.String(), skus })
  expect(example(product, 'GET /public/v1/products/:id 200')).toEqual([
    { id: expect.stringMatching(/^prd_/), skus: [{ id: expect.stringMatching(/^sku_/) }] },
    [],
  ])
})

test('what nothing is known for is named by its place', () => {
  const schema = Type.Object({ zither: Type.String(), anything: Type.Unknown() })
  expect(example(schema, 'POST /things body')[1]).toEqual(['POST /things body.zither', 'POST /things body.anything'])
})
