import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../test/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())

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
      expect(policy).not.toContain('unsafe')
      nonces.add(nonce)
    }
    expect(nonces.size).toBe(3)
  })

  it.each(['/public/v1/nothing', '/app/v1/nothing', '/assets/gone.js', '/hub/v1/nothing', '/appstore.php'])(
    '%s is for programs or for nobody',
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
