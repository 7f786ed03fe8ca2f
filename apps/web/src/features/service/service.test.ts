import { describe, expect, it } from 'vitest'
import { readKeyText } from './key-text.ts'
import { presentReadiness } from './readiness-presentation.ts'
import { readReadiness } from './service.api.ts'

const ask = (answer: Response | Error) =>
  readReadiness(async () => {
    if (answer instanceof Error) throw answer
    return answer
  }, new AbortController().signal)

const report = (status: string, checks: unknown[]) => JSON.stringify({ status, checks, version: '0.1.0' })

describe('readiness', () => {
  it('a ready service has no problems', async () => {
    const readiness = await ask(new Response(report('ready', [{ name: 'database', ok: true }])))
    expect(presentReadiness(readiness)).toEqual({ tone: 'done', word: 'Service ready', problems: [] })
  })

  it('a service that is not ready names what fails', async () => {
    const body = report('not_ready', [
      { name: 'database', ok: false, problem: 'connection refused' },
      { name: 'storage', ok: true },
    ])
    expect(presentReadiness(await ask(new Response(body, { status: 503 })))).toMatchObject({
      word: 'Service not ready',
      problems: ['database: connection refused'],
    })
  })

  it('a service that drains with all checks well still says why', async () => {
    const readiness = await ask(new Response(report('draining', []), { status: 503 }))
    expect(presentReadiness(readiness).problems).toEqual(['The service says “draining”.'])
  })

  it.each([
    ['a refused connection', new TypeError('Failed to fetch'), 'the connection fails'],
    ['an HTML page', new Response('<html></html>'), 'something else answers in its place'],
    ['JSON of another kind', new Response('[]'), 'something else answers in its place (HTTP 200)'],
    ['a gateway error', new Response('{}', { status: 502 }), 'something else answers in its place (HTTP 502)'],
  ])('%s means the service cannot be reached', async (_name, answer, problem) => {
    expect(await ask(answer)).toEqual({ state: 'unreachable', problem })
  })

  it('before the first answer nothing is claimed', () => {
    expect(presentReadiness(undefined)).toEqual({ tone: 'unknown', word: 'Asking the service', problems: [] })
  })
})

describe('a pasted key', () => {
  it('loses the white space around it', () => {
    expect(readKeyText('  abc_live_12\n')).toEqual({ key: 'abc_live_12' })
  })

  it.each(['', '   ', 'two words', 'kéy', 'line\nbreak'])('%j is no key, and the reason is given', (text) => {
    expect(readKeyText(text)).toHaveProperty('problem')
  })
})
