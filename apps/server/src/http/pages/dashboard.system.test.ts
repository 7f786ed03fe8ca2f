import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appForAllTests } from '../../test/app/app-hooks.ts'
import { answerError } from '../error-handler.ts'
import type { App } from '../types.ts'
import { openDashboard } from './dashboard.ts'
import { answerUnknownRoutes } from './unknown-routes.ts'

const t = appForAllTests()

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('the page of the dashboard', () => {
  it.each(['/', '/printers', '/printers/prn_1?tab=queue', '/files/file_1', '/hubs'])(
    '%s gives it to a browser',
    async (url) => {
      const answer = await t.app.inject({ url, headers: asBrowser })
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.body).toContain('<div id="root">')
    },
  )

  it('has a nonce of its own in each answer, and its policy allows nothing else inline', async () => {
    const nonces = new Set<string>()
    for (let count = 0; count < 3; count += 1) {
      const { headers, body } = await t.app.inject({ url: '/queue', headers: asBrowser })
      const policy = String(headers['content-security-policy'])
      const nonce = /style-src 'self' 'nonce-([A-Za-z0-9+/=]{20,})'/.exec(policy)?.[1] ?? ''
      expect(body).toContain(`content="${nonce}"`)
      expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';")
      expect(policy).not.toContain("'unsafe-")
      nonces.add(nonce)
    }
    expect(nonces.size).toBe(3)
  })

  it.each(['/public/v1/nothing', '/app/v1/nothing', '/assets/gone.js', '/hub/v1/nothing', '/appstore.php'])(
    '%s is for programs or for no one',
    async (url) => {
      const headers = url === '/appstore.php' ? { accept: 'application/json' } : asBrowser
      const answer = await t.app.inject({ url, headers })
      expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'NOT_FOUND'])
    },
  )

  it('a program that asks for a page of the dashboard gets its 404', async () => {
    const answer = await t.app.inject({ url: '/printers' })
    expect(answer.statusCode).toBe(404)
  })
})

describe('scripts and styles', () => {
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync }
  const ask = (url: string, encodings?: string) =>
    t.app.inject({ url, headers: encodings === undefined ? {} : { 'accept-encoding': encodings } })

  /** The main one of its kind: small ones beside it are not worth compressing. */
  async function namedInPage(ending: string): Promise<string> {
    const { body } = await t.app.inject({ url: '/', headers: asBrowser })
    const [, url] = new RegExp(`"(/assets/packages-[^"]+\\.${ending})"`).exec(body) ?? []
    if (url === undefined) throw new Error(`the page names no ${ending}`)
    return url
  }

  it.each([
    ['js', 'application/javascript; charset=utf-8'],
    ['css', 'text/css; charset=utf-8'],
  ])('a %s file comes compressed as its reader can take it, and is the same file each time', async (ending, type) => {
    const url = await namedInPage(ending)
    const plain = await ask(url)
    expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined])
    for (const [accepted, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
    ] as const) {
      const answer = await ask(url, accepted)
      expect(answer.headers).toMatchObject({ 'content-encoding': encoding, 'content-type': type })
      expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
      expect(decoders[encoding](answer.rawPayload).equals(plain.rawPayload)).toBe(true)
    }
    const neither = await ask(url, 'identity')
    expect(neither.headers['content-encoding']).toBe(undefined)
    expect(neither.rawPayload.equals(plain.rawPayload)).toBe(true)
  })

  it('stay in the cache for ever, each encoding apart; the page is asked for again each time', async () => {
    const url = await namedInPage('js')
    for (const encodings of ['br', 'gzip', undefined]) {
      const { headers } = await ask(url, encodings)
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(String(headers.vary).toLowerCase()).toContain('accept-encoding')
    }
    const page = await t.app.inject({ url: '/', headers: asBrowser })
    expect(page.headers['cache-control']).toBe('no-cache')
  })

  it('a reader that has one is told so without its content', async () => {
    const url = await namedInPage('js')
    const { headers } = await ask(url, 'br')
    const again = await t.app.inject({
      url,
      headers: { 'accept-encoding': 'br', 'if-none-match': String(headers.etag) },
    })
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
  })

  it('the compressed files have no address of their own', async () => {
    const url = await namedInPage('js')
    for (const ending of ['br', 'gz']) expect((await ask(`${url}.${ending}`)).statusCode).toBe(404)
  })
})

describe('a dashboard that is built again while the service runs', () => {
  let parent: string
  let folder: string
  let app: App
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'printyard-dashboard-'))
    folder = join(parent, 'dist')
    await rename(await build('one'), folder)
    app = Fastify() as unknown as App
    app.setErrorHandler(answerError)
    const dashboard = openDashboard(folder)
    answerUnknownRoutes(app, dashboard.answerPage)
    await dashboard.routes(app)
    await app.ready()
  })
  afterAll(async () => {
    await app.close()
    await rm(parent, { recursive: true, force: true })
  })

  async function build(name: string): Promise<string> {
    const fresh = join(parent, `fresh-${name}`)
    await mkdir(join(fresh, 'assets'), { recursive: true })
    await writeFile(join(fresh, 'index.html'), `<script type="module" src="/assets/${name}.js"></script>`)
    await writeFile(join(fresh, 'assets', `${name}.js`), `console.log('${name}')`)
    await mkdir(join(fresh, 'docs'))
    await writeFile(join(fresh, 'docs', `${name}.html`), `guide ${name}`)
    await writeFile(join(fresh, 'docs', 'missing.html'), 'no such page')
    await writeFile(join(fresh, 'docs', 'search.json'), '[]')
    await writeFile(join(fresh, 'docs', 'search.template.html'), `search of ${name}`)
    return fresh
  }
  const ask = (url: string) => app.inject({ url, headers: asBrowser })
  const isGone = async (url: string) => {
    const answer = await ask(url)
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'NOT_FOUND'])
  }

  it('is served at once, page and assets; what is gone is a plain 404', async () => {
    for (const url of ['/', '/printers']) expect((await ask(url)).body).toContain('/assets/one.js')
    expect((await ask('/assets/one.js')).body).toBe("console.log('one')")
    expect((await ask('/docs/one')).body).toBe('guide one')
    expect((await ask('/docs/search?q=guide')).body).toBe('search of one')

    const fresh = await build('two')
    await rename(folder, join(parent, 'old'))
    expect((await ask('/')).body).toContain('/assets/one.js')
    await isGone('/assets/one.js')
    await rename(fresh, folder)

    for (const url of ['/', '/printers']) expect((await ask(url)).body).toContain('/assets/two.js')
    expect((await ask('/assets/two.js')).body).toBe("console.log('two')")
    await isGone('/assets/one.js')
    expect((await ask('/docs/two')).body).toBe('guide two')
    expect((await ask('/docs/search?q=guide')).body).toBe('search of two')
    expect((await ask('/docs/one')).statusCode).toBe(404)
  })

  it.each(['/assets/', '/assets/..%2Findex.html', '/assets/a/b.js', '/assets/.hidden'])('%s is no asset', isGone)
})
