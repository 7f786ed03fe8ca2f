import { expect, test } from 'vitest'
import { shareCompiled } from './shared-compilers.ts'

test('a schema is compiled when it is first used, and an equal one not again', () => {
  const compiled: unknown[] = []
  const compile = shareCompiled((definition: { schema: object; httpPart?: string }) => {
    compiled.push(definition.schema)
    return (value: number) => [definition.httpPart, value]
  })
  const body = compile({ schema: { type: 'number' }, httpPart: 'body' })
  const alike = compile({ schema: { type: 'number' }, httpPart: 'body' })
  const query = compile({ schema: { type: 'number' }, httpPart: 'querystring' })
  expect(compiled).toEqual([])
  expect([body(1), body(2), alike(3)]).toEqual([
    ['body', 1],
    ['body', 2],
    ['body', 3],
  ])
  expect(compiled).toHaveLength(1)
  expect(query(4)).toEqual(['querystring', 4])
  expect(compiled).toHaveLength(2)
})
