import { describe, expect, it } from 'vitest'
import { ApiError, createApiClient } from './api-client.ts'

type Answer = { status: number; body: unknown; headers?: Record<string, string> } | Error

/** A client whose service gives these answers one after another. */
function clientOf(...answers: Answer[]) {
  const requests: { url: string; authorization: string | null }[] = []
  const unauthorized: ApiError[] = []
  const limitedUntilMs: number[] = []
  const clock = { nowMs: 1_000_000 }
  const client = createApiClient({
    key: 'secret',
    now: () => clock.nowMs,
    onUnauthorized: (error) => unauthorized.push(error),
    onRateLimited: (untilMs) => limitedUntilMs.push(untilMs),
    fetch: async (input, init) => {
      requests.push({ url: String(input), authorization: new Headers(init?.headers).get('authorization') })
      init?.signal?.throwIfAborted()
      const answer = answers.shift()
      if (answer === undefined) throw new Error('asked more often than the test foresees')
      if (answer instanceof Error) throw answer
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
      return new Response(text, { status: answer.status, headers: answer.headers ?? {} })
    },
  })
  return { client, requests, unauthorized, limitedUntilMs, clock }
}

async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`)
  return error
}

const refusal = (code: string, message: string) => ({ success: false, error: { code, message } })

describe('API client', () => {
  it('sends the key as a bearer token and gives the data of the envelope', async () => {
    const { client, requests } = clientOf({ status: 200, body: { success: true, data: [{ id: 'prn_1' }] } })
    expect(await client.getList('/printers')).toEqual([{ id: 'prn_1' }])
    expect(requests).toEqual([{ url: '/public/v1/printers', authorization: 'Bearer secret' }])
  })

  it('a refusal keeps its message, code, status and request id', async () => {
    const { client, unauthorized } = clientOf({
      status: 404,
      body: refusal('NOT_FOUND', 'No such printer'),
      headers: { 'X-Request-Id': 'req-7' },
    })
    const error = await failureOf(client.getOne('/printers/x/status'))
    expect(error).toMatchObject({ message: 'No such printer', code: 'NOT_FOUND', status: 404, requestId: 'req-7' })
    expect(unauthorized).toEqual([])
  })

  it('a revoked key is reported to the page', async () => {
    const { client, unauthorized } = clientOf({ status: 401, body: refusal('TOKEN_REVOKED', 'Key was revoked') })
    const error = await failureOf(client.getList('/jobs'))
    expect(error.code).toBe('TOKEN_REVOKED')
    expect(unauthorized).toEqual([error])
  })

  it('after a 429 nothing is sent until the time named is over', async () => {
    const { client, requests, limitedUntilMs, clock } = clientOf(
      { status: 429, body: refusal('RATE_LIMITED', 'Too many requests'), headers: { 'Retry-After': '20' } },
      { status: 200, body: { success: true, data: [] } },
    )
    await failureOf(client.getList('/jobs'))
    expect(limitedUntilMs).toEqual([1_020_000])

    clock.nowMs += 15_000
    const held = await failureOf(client.getList('/printers'))
    expect(held).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 5000 })
    expect(requests).toHaveLength(1)

    clock.nowMs += 5000
    expect(await client.getList('/printers')).toEqual([])
  })

  it('a 429 without Retry-After waits all the same', async () => {
    const { client, limitedUntilMs } = clientOf({ status: 429, body: refusal('RATE_LIMITED', 'Too many requests') })
    await failureOf(client.getList('/jobs'))
    expect(limitedUntilMs).toEqual([1_010_000])
  })

  it('a 503 carries how long to wait, and silences no other call', async () => {
    const { client, limitedUntilMs } = clientOf(
      { status: 503, body: refusal('SERVICE_UNAVAILABLE', 'No database'), headers: { 'Retry-After': '5' } },
      { status: 200, body: { success: true, data: [] } },
    )
    expect((await failureOf(client.getList('/jobs'))).retryAfterMs).toBe(5000)
    expect(limitedUntilMs).toEqual([])
    expect(await client.getList('/jobs')).toEqual([])
  })

  it('a connection that fails is told apart from a refusal', async () => {
    const { client } = clientOf(new TypeError('Failed to fetch'))
    expect(await failureOf(client.getList('/jobs'))).toMatchObject({ code: 'SERVICE_UNREACHABLE', status: 0 })
  })

  it.each([
    ['an error page of a proxy', { status: 502, body: '<html>Bad gateway</html>' }],
    ['an answer cut short', { status: 200, body: '{"success":true,"da' }],
    ['success without an envelope', { status: 200, body: [{ id: 'prn_1' }] }],
    ['one resource where a list was asked', { status: 200, body: { success: true, data: { id: 'prn_1' } } }],
    ['a list with holes', { status: 200, body: { success: true, data: [null] } }],
  ])('%s is unreadable, not data', async (_name, answer) => {
    const { client } = clientOf(answer)
    expect((await failureOf(client.getList('/printers'))).code).toBe('UNREADABLE_ANSWER')
  })

  it('a caller that gave up gets its own reason, not an error to show', async () => {
    const { client } = clientOf()
    const gone = new AbortController()
    gone.abort(new Error('page closed'))
    await expect(client.getList('/jobs', gone.signal)).rejects.toThrow('page closed')
  })
})
