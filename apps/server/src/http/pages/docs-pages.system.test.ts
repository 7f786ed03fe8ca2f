import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { appForAllTests } from '../../test/app/app-hooks.ts'

const t = appForAllTests()
const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const ask = (url: string, headers: Record<string, string> = asBrowser) => t.app.inject({ url, headers })

describe('the documentation', () => {
  test.each([
    ['/docs', 'Documentation'],
    ['/docs/operating/backups', 'Backups'],
    ['/docs/install', 'Installing Printyard'],
    ['/docs/errors/NOT_FOUND', 'NOT_FOUND'],
    ['/docs/api/reference', 'API reference'],
    ['/docs/api/reference/jobs', 'Jobs'],
    ['/docs/decisions', 'Decisions'],
  ])('has a page at %s without a script', async (url, title) => {
    const { statusCode, headers, body } = await ask(url)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(/<h1[^>]*>(.*)<\/h1>/.exec(body)?.[1]).toContain(title)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'self';/)
    expect(body).not.toMatch(/<script|\son\w+=|\sstyle=/)
  })

  test('a page comes compressed, is told apart by its tag, and is answered 304 to those who have it', async () => {
    const plain = await ask('/docs/cli')
    const compressed = await ask('/docs/cli', { ...asBrowser, 'accept-encoding': 'gzip' })
    expect(compressed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(compressed.rawPayload).toString()).toBe(plain.body)
    const again = await ask('/docs/cli', { ...asBrowser, 'if-none-match': String(plain.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('shows requests of the API in three languages, with the errors of each', async () => {
    const { body } = await ask('/docs/api/reference/products')
    const [, product = ''] = body.split('id="createProduct"')
    const [shown] = product.split('<section class="operation">')
    expect(shown).toContain('curl &quot;$PRINTYARD_URL/public/v1/products&quot;')
    expect(shown).toContain('await printyard.products.create({')
    expect(shown).toContain('urllib.request.Request(')
    expect(shown).toContain('href="/docs/errors/VALIDATION_ERROR"')
  })

  test.each([
    ['/docs/install/', '/docs/install'],
    ['/docs/install/README.md', '/docs/install'],
    ['/docs/operating/backups.md', '/docs/operating/backups'],
  ])('%s leads to %s', async (url, target) => {
    const { statusCode, headers } = await ask(url)
    expect([statusCode, headers.location]).toEqual([308, target])
  })

  test('what is not there is a page for people and the envelope for programs', async () => {
    for (const url of [
      '/docs/nothing',
      '/docs/search.json',
      '/docs/search.template',
      '/docs/docs.css.gz',
      '/docs/..%2Findex.html',
    ]) {
      const page = await ask(url)
      expect([page.statusCode, page.body.includes('There is no such page')], url).toEqual([404, true])
      const answer = await ask(url, {})
      expect([answer.statusCode, answer.json().error.code], url).toEqual([404, 'NOT_FOUND'])
    }
  })
})

describe('the search of the documentation', () => {
  test('finds a guide, an error, an operation and a word of the glossary', async () => {
    for (const [query, url] of [
      ['restore backup passphrase', '/docs/operating/backups'],
      ['JOB_DOES_NOT_FIT', '/docs/errors/JOB_DOES_NOT_FIT'],
      ['Queue a print job', '/docs/api/reference/jobs#enqueueJob'],
      ['/public/v1/printers/{id}/control', '/docs/api/reference/printers#'],
    ] as const) {
      const { statusCode, body } = await ask(`/docs/search?q=${encodeURIComponent(query)}`)
      expect(statusCode).toBe(200)
      expect(body, query).toContain(`<a href="${url}`)
    }
  })

  test('shows what was typed as text, asks for a word where none was typed, and refuses a long one', async () => {
    const { body } = await ask(`/docs/search?q=${encodeURIComponent('"><script>$&')}`)
    expect(body).toContain('value="&quot;&gt;&lt;script&gt;$&amp;"')
    expect(body).not.toContain('<script>')
    expect((await ask('/docs/search')).body).toContain('Type what you look for')
    expect((await ask(`/docs/search?q=${'a'.repeat(101)}`)).statusCode).toBe(400)
  })
})
