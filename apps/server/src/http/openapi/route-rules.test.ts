import type { RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import { failures } from '../schema.ts'
import { completeRoute } from './route-rules.ts'

/** The error codes that a route declares by status, after it was completed. */
function codesOf(url: string, config: RouteOptions['config']): Record<string, string[]> {
  const response = { 200: {}, ...failures('ORIGIN_REFUSED') }
  const route = {
    method: 'GET',
    url,
    config,
    schema: { response },
    handler: () => undefined,
  } as unknown as RouteOptions
  completeRoute(route)
  const declared = route.schema?.response as Record<string, { properties?: { error?: { properties: Code } } }>
  return Object.fromEntries(
    Object.entries(declared).map(([status, { properties }]) => [status, properties?.error?.properties.code.enum ?? []]),
  )
}
interface Code {
  code: { enum: string[] }
}

test('what the guard of sessions answers is declared where it does, and what was declared stays', () => {
  const codes = codesOf('/app/v1/jobs', { scope: 'read' })
  expect(codes[401]).toContain('SESSION_EXPIRED')
  expect(codes[403]).toEqual(expect.arrayContaining(['SECOND_FACTOR_REQUIRED', 'ORIGIN_REFUSED', 'INSUFFICIENT_SCOPE']))
})

test('who still has to add a second factor is not told so where they add it', () => {
  const codes = codesOf('/app/v1/totp', { scope: 'read', beforeSecondFactor: true })
  expect(codes[401]).toContain('SESSION_EXPIRED')
  expect(codes[403]).not.toContain('SECOND_FACTOR_REQUIRED')
})

test('keys have no second factor', () => {
  const codes = codesOf('/public/v1/jobs', { scope: 'read' })
  expect(Object.values(codes).flat()).not.toContain('SECOND_FACTOR_REQUIRED')
  expect(Object.values(codes).flat()).not.toContain('SESSION_EXPIRED')
})
