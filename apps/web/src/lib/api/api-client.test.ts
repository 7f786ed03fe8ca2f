import { describe, expect, it } from 'vitest'
import { createApiClient } from './api-client.ts'
import { ApiError, fieldMessages, isServiceAway } from './api-error.ts'

type Given = { status: number; body: unknown; headers?: Record<string, string> } | Error

/** A client whose service gives these answers one after another. */
function clientOf(...answers: Given[]) {
  const requests: { method: string; url: string; headers: Headers; body: unknown }[] = []
  const waits: number[] = []
  const signedOut: string[] = []
  const proofs: boolean[] = []
  const factors: string[] = []
  const api = createApiClient({
    wait: async (ms) => void waits.push(ms),
    onSignedOut: (error) => signedOut.push(error.code),
    onProofRequired: async () => proofs.shift() ?? false,
    onFactorRequired: () => void factors.push('asked'),
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers)
      requests.push({ method: init?.method ?? '', url: String(input), headers, body: init?.body })
      init?.signal?.throwIfAborted()
      const answer = answers.shift()
      if (answer === undefined) throw new Error('asked more often than the test foresees')
      if (answer instanceof Error) throw answer
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
      return new Response(text, { status: answer.status, headers: answer.headers ?? {} })
    },
    sendTelling: async (url, { method, headers, body }, onSent) => {
      requests.push({ method: method ?? '', url, headers: new Headers(headers), body })
      for (const bytes of [40, 100]) onSent({ bytes, total: 100 })
      const answer = answers.shift()
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error('asked more often than foreseen')
      return new Response(JSON.stringify(answer.body), { status: answer.status, headers: answer.headers ?? {} })
    },
  })
  return { api, requests, waits, signedOut, proofs, factors }
}

async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`)
  return error
}

const ok = (data: unknown, meta?: unknown) => ({ status: 200, body: { success: true, data, meta } })
const refusal = (status: number, code: string, more: { details?: unknown; headers?: Record<string, string> } = {}) => ({
  status,
  body: { success: false, error: { code, message: 'No', details: more.details } },
  headers: more.headers ?? {},
})

describe('what is sent', () => {
  it('a file is sent as what it says it is, and one that says nothing as bytes', async () => {
    const { api, requests } = clientOf(ok({}), ok({}))
    await api.call('POST /orders/import', { body: new Blob(['a,b'], { type: 'text/csv' }) })
    await api.call('POST /orders/import', { body: new Blob(['a,b']) })
    expect(requests.map(({ headers }) => headers.get('content-type'))).toEqual(['text/csv', 'application/octet-stream'])
  })

  it('how much of a file was sent is told to those who want to know', async () => {
    const { api, requests } = clientOf(ok({}), refusal(400, 'INVALID_FILE'))
    const sent: number[] = []
    const body = new Blob(['a,b'], { type: 'text/csv' })
    const onSent = ({ bytes }: { bytes: number }) => sent.push(bytes)
    await api.call('POST /orders/import', { body, onSent })
    expect(sent).toEqual([40, 100])
    expect(requests[0]).toMatchObject({ method: 'POST', url: '/app/v1/orders/import', body })
    expect(requests[0]?.headers.get('content-type')).toBe('text/csv')
    expect((await failureOf(api.call('POST /orders/import', { body, onSent }))).code).toBe('INVALID_FILE')
  })

  it('parameters and filters stand in the address, and what is not set is left out', async () => {
    const { api, requests } = clientOf(ok([], { next_cursor: 'abc' }), ok({}))
    const page = await api.page('GET /printers', { query: { limit: 20, search: '', status: 'idle' } })
    expect(page).toEqual({ rows: [], nextCursor: 'abc' })
    await api.call('GET /printers/{id}', { params: { id: 'prn/1' } })
    expect(requests.map(({ url }) => url)).toEqual([
      '/app/v1/printers?limit=20&status=idle',
      '/app/v1/printers/prn%2F1',
    ])
  })

  it('a change carries the tag that was read', async () => {
    const { api, requests } = clientOf({ ...ok({ id: 'prn_1' }), headers: { etag: '"a"' } }, ok({}))
    const { etag } = await api.getTagged('GET /printers/{id}', { params: { id: 'prn_1' } })
    await api.call('PATCH /printers/{id}', { params: { id: 'prn_1' }, body: { name: 'Left' }, ifMatch: etag })
    expect(requests[1]?.headers.get('if-match')).toBe('"a"')
    expect(requests[1]?.body).toBe('{"name":"Left"}')
  })

  it('a POST that got no answer is repeated under the same key, and others are not', async () => {
    const lost = new TypeError('Failed to fetch')
    const { api, requests, waits } = clientOf(
      lost,
      refusal(503, 'SERVICE_UNAVAILABLE', { headers: { 'retry-after': '2' } }),
      ok({}),
    )
    await api.call('POST /jobs/{id}/start', { params: { id: 'job_1' } })
    const keys = new Set(requests.map(({ headers }) => headers.get('idempotency-key')))
    expect([requests.length, keys.size, waits.length]).toEqual([3, 1, 2])
    expect(waits[1]).toBeGreaterThanOrEqual(2000)
    expect(waits[1]).toBeLessThan(2100)

    const other = clientOf(lost)
    await failureOf(other.api.call('PATCH /printers/{id}', { params: { id: 'prn_1' }, body: { name: 'Left' } }))
    expect(other.requests).toHaveLength(1)
  })

  it('a form is sent as it is, and the browser names its type', async () => {
    const { api, requests } = clientOf(ok({}))
    const form = new FormData()
    form.set('image', new Blob(['x']), 'lamp.png')
    await api.call('POST /products/{id}/images', { params: { id: 'prod_1' }, body: form })
    expect(requests[0]?.body).toBe(form)
    expect(requests[0]?.headers.has('content-type')).toBe(false)
    expect(requests[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/)
  })

  it('two POSTs have two keys', async () => {
    const { api, requests } = clientOf(ok({}), ok({}))
    await api.call('POST /sign-out')
    await api.call('POST /sign-out')
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[0]).not.toBe(keys[1])
  })
})

describe('what comes back', () => {
  it('a refusal keeps its message, code, details and request id', async () => {
    const details = { name: ['is too long'], odd: 3 }
    const { api, signedOut } = clientOf(
      refusal(400, 'VALIDATION_ERROR', { details, headers: { 'x-request-id': 'req-7' } }),
    )
    const error = await failureOf(api.call('GET /session'))
    expect(error).toMatchObject({ message: 'No', code: 'VALIDATION_ERROR', status: 400, requestId: 'req-7' })
    expect(fieldMessages(error)).toEqual({ name: ['is too long'] })
    expect(signedOut).toEqual([])
  })

  it.each(['UNAUTHORIZED', 'SESSION_EXPIRED'])('%s is told to the page', async (code) => {
    const { api, signedOut } = clientOf(refusal(401, code))
    await failureOf(api.call('GET /session'))
    expect(signedOut).toEqual([code])
  })

  it('a call that needs a proof is sent again once it was given, under the same key', async () => {
    const { api, requests, proofs } = clientOf(refusal(403, 'PROOF_REQUIRED'), ok({ id: 'key_1' }))
    proofs.push(true)
    await api.call('POST /api-keys', { body: { name: 'Shop', scopes: ['read'] } })
    expect(requests).toHaveLength(2)
    expect(requests[1]?.body).toBe(requests[0]?.body)
    expect(new Set(requests.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
  })

  it('a call that needs a proof fails when none was given', async () => {
    const { api, requests } = clientOf(refusal(403, 'PROOF_REQUIRED'))
    expect((await failureOf(api.call('POST /api-keys', { body: { name: 'x', scopes: ['read'] } }))).code).toBe(
      'PROOF_REQUIRED',
    )
    expect(requests).toHaveLength(1)
  })

  it('an account that asks for a second factor leads to where one is added', async () => {
    const { api, factors } = clientOf(refusal(403, 'SECOND_FACTOR_REQUIRED'))
    await failureOf(api.call('GET /session'))
    expect(factors).toEqual(['asked'])
  })

  it('a wrong password ends no session', async () => {
    const { api, signedOut } = clientOf(refusal(401, 'INVALID_CREDENTIALS'))
    await failureOf(api.call('POST /sign-in', { body: { email: 'a@example.com', password: 'x' } }))
    expect(signedOut).toEqual([])
  })

  it.each([
    ['an error page of a proxy', { status: 502, body: '<html>Bad gateway</html>' }, true],
    ['an answer cut short', { status: 200, body: '{"success":true,"da' }, false],
    ['success without an envelope', { status: 200, body: [{ id: 'prn_1' }] }, false],
  ])('%s is unreadable, not data', async (_name, answer, passes) => {
    const { api, requests } = clientOf(...Array.from({ length: passes ? 5 : 1 }, () => answer))
    const error = await failureOf(api.call('GET /session'))
    expect([error.code, error.status, isServiceAway(error)]).toEqual(['UNREADABLE_ANSWER', answer.status, passes])
    expect(requests).toHaveLength(passes ? 5 : 1)
  })

  it('a caller that gave up gets its own reason, not an error to show', async () => {
    const { api } = clientOf()
    const gone = new AbortController()
    gone.abort(new Error('page closed'))
    await expect(api.call('GET /session', { signal: gone.signal })).rejects.toThrow('page closed')
  })
})
