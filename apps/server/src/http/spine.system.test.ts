import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type RouteShorthandOptions } from 'fastify'
import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { AppError } from '../kernel/errors.ts'
import { guardRoutes } from '../modules/people/guard/guard.ts'
import { appForAllTests } from '../test/app/app-hooks.ts'
import { createTestApp } from '../test/app/test-app.ts'
import { announceDeprecations } from './deprecation.ts'
import { describeApi } from './openapi/openapi.ts'
import { refuseWithoutExamples } from './openapi/route-rules.ts'
import { answer, failures, text } from './schema.ts'
import type { App } from './types.ts'

const t = appForAllTests()

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

test('the explorer of the API may load nothing from outside, and all that it loads is there', async () => {
  const answer = await t.app.inject('/docs/explorer')
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
  const addresses = [...answer.body.matchAll(/ (?:src|href)="([^"]*)"/g)].map(([, address = '']) => address)
  expect(addresses.length).toBeGreaterThan(3)
  for (const url of addresses) {
    expect(url).toMatch(/^\//)
    expect((await t.app.inject(url)).statusCode, url).toBe(200)
  }
})

describe('a name that is not ours', () => {
  const asked = (url: string, headers: Record<string, string>) =>
    t.app.inject({ url, headers: { host: 'elsewhere.example', ...headers } })

  test.each([
    ['/app/v1/setup', {}],
    ['/app/v1/session', {}],
    ['/', {}],
    ['/printers', { accept: 'text/html' }],
    ['/app/v1/setup', { 'x-forwarded-host': 'localhost' }],
  ])('opens nothing to browsers at %s', async (url, headers) => {
    const answer = await asked(url, headers)
    expect(answer.statusCode).toBe(421)
    const message = expect.stringContaining('"elsewhere.example"')
    expect(answer.json().error).toMatchObject({ code: 'HOST_REFUSED', message })
  })

  test.each(['/public/v1/jobs', '/livez', '/public/v1/openapi.json'])('is no matter to programs at %s', async (url) => {
    expect((await asked(url, {})).statusCode).not.toBe(421)
  })

  test('is one of ours when a setting says so', async () => {
    const named = await createTestApp({ config: { allowedHosts: 'elsewhere.example' } })
    try {
      const answer = await named.app.inject({ url: '/app/v1/setup', headers: { host: 'elsewhere.example:4400' } })
      expect(answer.statusCode).toBe(200)
    } finally {
      await named.close()
    }
  })
})

describe('headers for browsers', () => {
  test('keep a page from windows of other sites and from devices', async () => {
    for (const url of ['/', '/docs', '/docs/explorer']) {
      const { headers } = await t.app.inject({ url, headers: { accept: 'text/html' } })
      expect(headers, url).toMatchObject({
        'cross-origin-opener-policy': 'same-origin',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        'permissions-policy': expect.stringMatching(/^camera=\(self\), microphone=\(\), geolocation=\(\)/),
      })
    }
  })

  test.each([
    '/',
    '/docs',
    '/docs/explorer',
    '/livez',
    '/metrics',
    '/public/v1/jobs',
    '/public/v1/openapi.json',
    '/app/v1/session',
    '/nothing',
  ])('keep the type and leave no copy of what is at %s', async (url) => {
    const { headers } = await t.app.inject({ url, headers: { accept: url === '/' ? 'text/html' : '*/*' } })
    expect(headers['x-content-type-options']).toBe('nosniff')
    // Page and description are the same for everybody.
    const expected = ['/', '/docs', '/docs/explorer', '/public/v1/openapi.json'].includes(url) ? 'no-cache' : 'no-store'
    expect(headers['cache-control']).toBe(expected)
    expect(headers['content-security-policy']).toMatch(/^default-src '(none|self)'; .*frame-ancestors 'none'/)
  })

  test('ask for HTTPS from then on behind TLS alone', async () => {
    const strict = 'strict-transport-security'
    expect((await t.app.inject('/livez')).headers[strict]).toBeUndefined()
    const behind = await createTestApp({ config: { publicUrl: 'https://farm.example', trustedProxies: '127.0.0.1' } })
    const trusting = await createTestApp({ config: { trustedProxies: '127.0.0.1' } })
    try {
      expect((await behind.app.inject('/livez')).headers[strict]).toBe('max-age=31536000')
      expect((await trusting.app.inject('/livez')).headers[strict]).toBeUndefined()
      const forwarded = { url: '/livez', headers: { 'x-forwarded-proto': 'https' } }
      expect((await trusting.app.inject(forwarded)).headers[strict]).toBe('max-age=31536000')
    } finally {
      await behind.close()
      await trusting.close()
    }
  })
})

describe('metrics', () => {
  test('are given to this machine', async () => {
    const { body } = await t.app.inject('/metrics')
    expect(body).toContain('printyard_hubs_connected 0')
    expect(body).toContain('printyard_printer_reports_total 0')
    expect(body).toMatch(/^nodejs_heap_size_used_bytes \d+$/m)
  })
  test('are refused to a page whose own name leads to this machine', async () => {
    const answer = await t.app.inject({ url: '/metrics', headers: { host: 'elsewhere.example' } })
    expect(answer.statusCode).toBe(403)
    expect((await t.app.inject({ url: '/metrics', remoteAddress: '192.168.1.5' })).statusCode).toBe(403)
  })
  test('are given for the token alone when there is one', async () => {
    const guarded = await createTestApp({ config: { metricsToken: 'sixteen characters or more' } })
    const ask = (headers: Record<string, string>) => guarded.app.inject({ url: '/metrics', headers })
    try {
      expect((await ask({})).statusCode).toBe(403)
      expect((await ask({ authorization: 'Bearer another' })).statusCode).toBe(403)
      expect((await ask({ authorization: 'Bearer sixteen characters or more' })).statusCode).toBe(200)
    } finally {
      await guarded.close()
    }
  })
  test('are refused to a proxied client', async () => {
    const answer = await t.app.inject({ url: '/metrics', headers: { 'x-forwarded-for': '203.0.113.9' } })
    expect(answer.statusCode).toBe(403)
  })
})

describe('a route does not start', () => {
  const bare = (): App => {
    const app: App = Fastify({ exposeHeadRoutes: false }).withTypeProvider<TypeBoxTypeProvider>()
    guardRoutes(app, t.context)
    return app
  }
  const response = { 200: answer({ id: text(1, 255, 'ID') }), ...failures('NOT_FOUND') }

  test.each<[why: string, path: string, options: RouteShorthandOptions]>([
    ['names no scope', '/open', {}],
    ['does not say what it answers', '/silent', { config: { scope: 'read' } }],
    ['does not say how it succeeds', '/failing', { config: { scope: 'read' }, schema: { response: failures() } }],
    ['does not say how it fails', '/sure', { config: { scope: 'read' }, schema: { response: { 200: response[200] } } }],
    [
      'names something that may not be there, without a 404',
      '/things/:id',
      { config: { scope: 'read' }, schema: { response: { 200: response[200], ...failures() } } },
    ],
    [
      'is for a viewer, whose role has not the scope "write"',
      '/things',
      { config: { scope: 'write', role: 'viewer' }, schema: { response } },
    ],
  ])('that %s', (why, path, options) => {
    expect(() => bare().get(`/public/v1${path}`, options, async () => ({ id: 'x' }))).toThrow(
      `GET /public/v1${path} ${why}`,
    )
  })

  test('that has a field without an example, where it is described', async () => {
    const app = bare()
    refuseWithoutExamples(app)
    const shown = answer({ zither: text(1, 20, 'What no one knows'), count: Type.Integer() })
    app.get(
      '/public/v1/things',
      { config: { scope: 'read' }, schema: { response: { ...response, 200: shown } } },
      () => ({
        zither: 'x',
        count: 1,
      }),
    )
    await expect(app.ready()).rejects.toThrow(/GET \/public\/v1\/things 200\.zither$/)
  })
})

test('the least role of a route is by its scope, unless it names one', () => {
  const app: App = Fastify({ exposeHeadRoutes: false }).withTypeProvider<TypeBoxTypeProvider>()
  guardRoutes(app, t.context)
  const found: (string | undefined)[] = []
  app.addHook('onRoute', (route) => void found.push(route.config?.role))
  const schema = { response: { 200: answer({}), ...failures() } }
  for (const config of [{ scope: 'read' }, { scope: 'control' }, { scope: 'write', role: 'admin' }] as const) {
    app.post(`/public/v1/${config.scope}`, { config, schema }, async () => ({}))
  }
  expect(found).toEqual(['viewer', 'operator', 'admin'])
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

test('a deprecated route says so in every answer', async () => {
  const app: App = Fastify({ exposeHeadRoutes: false }).withTypeProvider<TypeBoxTypeProvider>()
  announceDeprecations(app)
  const deprecated = { since: '2026-01-01', sunset: '2027-06-30', successor: '/public/v1/things' }
  expect(() => app.get('/when', { config: { deprecated: { since: 'soon' } } }, async () => ({}))).toThrow(
    'GET /when cannot be deprecated like that',
  )
  app.get('/old', { config: { deprecated } }, async () => ({}))
  app.get('/gone', { config: { deprecated } }, async () => {
    throw new AppError('NOT_FOUND')
  })
  app.get('/new', async () => ({}))
  for (const url of ['/old', '/gone']) {
    expect((await app.inject(url)).headers).toMatchObject({
      deprecation: '@1767225600',
      sunset: 'Wed, 30 Jun 2027 00:00:00 GMT',
      link: '</public/v1/things>; rel="successor-version"',
    })
  }
  const { headers } = await app.inject('/new')
  expect(['deprecation', 'sunset', 'link'].filter((name) => name in headers)).toEqual([])
  await app.close()
})

test('the document says of a deprecated route that it is', async () => {
  const app: App = Fastify({ exposeHeadRoutes: false }).withTypeProvider<TypeBoxTypeProvider>()
  await describeApi(app, '1.0.0')
  const schema = { tags: ['Printers'], summary: 'Get what there was', response: { 200: answer({}) } }
  app.get('/old', { config: { deprecated: { since: '2026-01-01' } }, schema }, async () => ({}))
  app.get('/new', { schema }, async () => ({}))
  await app.ready()
  const { paths } = app.swagger()
  expect(paths).toMatchObject({ '/old': { get: { deprecated: true, operationId: 'getOld' } } })
  expect(paths?.['/new']).not.toMatchObject({ get: { deprecated: true } })
  await app.close()
})

describe('a page of another site', () => {
  const origin = { origin: 'https://other.example.com' }
  const asked = { ...origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' }

  test('is never let in, whatever it asks', async () => {
    const account = await t.account()
    const authorization = `Bearer ${account.key}`
    const answers = await Promise.all([
      t.app.inject({ url: '/public/v1/printers', headers: { ...origin, authorization } }),
      t.app.inject({ url: '/public/v1/printers', headers: origin }),
      t.app.inject({ url: '/public/v1/nothing', headers: origin }),
      t.app.inject({ url: '/public/v1/openapi.json', headers: origin }),
      t.app.inject({ url: '/livez', headers: origin }),
      t.app.inject({ url: '/docs', headers: origin }),
      t.app.inject({ method: 'OPTIONS', url: '/public/v1/printers', headers: asked }),
    ])
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 401, 404, 200, 200, 200, 405])
    const opened = answers.flatMap((answer) =>
      Object.keys(answer.headers).filter((name) => /^access-control/.test(name)),
    )
    expect(opened).toEqual([])
  })

  test('is told the methods of a path when it asks beforehand, and nothing of one that is not there', async () => {
    const known = await t.app.inject({ method: 'OPTIONS', url: '/public/v1/printers', headers: asked })
    expect([known.statusCode, known.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
    const unknown = await t.app.inject({ method: 'OPTIONS', url: '/public/v1/nothing', headers: asked })
    expect([unknown.statusCode, unknown.headers.allow]).toEqual([404, undefined])
  })
})
