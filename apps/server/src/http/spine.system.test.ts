import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../test/test-app.ts'
import { guardRoutes } from './guard.ts'
import type { App } from './types.ts'

let t: TestApp
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())

test('the service says that it is alive and ready', async () => {
  expect((await t.app.inject('/livez')).json()).toEqual({ status: 'alive' })
  const ready = await t.app.inject('/readyz')
  expect(ready.statusCode).toBe(200)
  expect(ready.json().checks).toContainEqual({ name: 'database', ok: true })
})

test('an unknown path is a 404 in the envelope, with the request id kept', async () => {
  const answer = await t.app.inject({ url: '/public/v1/nothing', headers: { 'x-request-id': 'abc-1' } })
  expect(answer.statusCode).toBe(404)
  expect(answer.json()).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } })
  expect(answer.headers['x-request-id']).toBe('abc-1')
})

test('a request id that could forge log lines is replaced', async () => {
  const answer = await t.app.inject({ url: '/livez', headers: { 'x-request-id': 'a b"c' } })
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
})

test('the reference page may load nothing from outside', async () => {
  const answer = await t.app.inject('/docs')
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
  expect(answer.body).not.toMatch(/(src|href)="https?:\/\//)
})

describe('metrics', () => {
  test('are given to this machine', async () => {
    expect((await t.app.inject('/metrics')).body).toContain('printyard_hubs_connected 0')
  })
  test('are refused to a proxied client', async () => {
    const answer = await t.app.inject({ url: '/metrics', headers: { 'x-forwarded-for': '203.0.113.9' } })
    expect(answer.statusCode).toBe(403)
  })
})

test('a route that says nothing of who may call it does not start', () => {
  const app: App = Fastify().withTypeProvider<TypeBoxTypeProvider>()
  guardRoutes(app, t.context)
  expect(() => app.get('/public/v1/open', async () => 'everything')).toThrow('GET /public/v1/open names no scope')
})

test('readiness answers although the store of files hangs, and names no path of this machine', async () => {
  const { files } = t.context
  try {
    t.context.files = { ...files, check: () => new Promise(() => undefined) }
    const hanging = await t.app.inject('/readyz')
    expect(hanging.statusCode).toBe(503)
    expect(hanging.json().checks).toContainEqual({ name: 'storage', ok: false, problem: 'does not answer' })
    t.context.files = { ...files, check: () => Promise.reject(new Error("EACCES: '/srv/farm/files'")) }
    expect((await t.app.inject('/readyz')).json().checks).toContainEqual({
      name: 'storage',
      ok: false,
      problem: 'cannot be written to',
    })
  } finally {
    t.context.files = files
  }
})
