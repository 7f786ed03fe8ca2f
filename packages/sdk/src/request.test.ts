import { expect, test } from 'vitest'
import { cut, ok, refused, silent, startScriptedService } from '../test/scripted-service.ts'
import { ApiError, ConnectionError, PrintyardError, TimeoutError, UnreadableAnswerError } from './errors.ts'
import { Connection } from './request.ts'

const soon = { 'retry-after': '0' }

test('a call sends the key, the query and the body, and gives the data', async () => {
  const { client, requests } = await startScriptedService([ok({ id: 'job_1' }), ok([])])
  expect(await client.jobs.enqueue({ print_file_id: 'file_1' })).toEqual({ id: 'job_1' })
  await client.jobs.list({ status: 'queued', limit: 5 })
  const [post, get] = requests
  expect(post).toMatchObject({ method: 'POST', url: '/public/v1/jobs', body: '{"print_file_id":"file_1"}' })
  expect(post?.headers).toMatchObject({
    authorization: 'Bearer printyard_live_test',
    'content-type': 'application/json',
  })
  expect(get).toMatchObject({ method: 'GET', url: '/public/v1/jobs?status=queued&limit=5', body: '' })
})

test('an ID is one part of the path, whatever is in it', async () => {
  const { client, requests } = await startScriptedService([ok({})])
  await client.jobs.get('../orders?x=1#y')
  expect(requests[0]?.url).toBe('/public/v1/jobs/..%2Forders%3Fx%3D1%23y')
})

test.each(['..', '.', '%2e%2E', ''])(
  'an ID of %j, which would name another path, is asked for by no request',
  async (id) => {
    const { client, requests } = await startScriptedService([ok({}), ok({})])
    for (const ask of [() => client.jobs.cancel(id), () => client.jobs.get(id)]) {
      if (id === '%2e%2E') await ask()
      else await expect(ask()).rejects.toThrow(PrintyardError)
    }
    // A percent sign of an ID is escaped: only two points, as they stand, would lead elsewhere.
    expect(requests.map(({ url }) => url)).toEqual(
      id === '%2e%2E' ? ['/public/v1/jobs/%252e%252E/cancel', '/public/v1/jobs/%252e%252E'] : [],
    )
  },
)

test('withResponse gives the whole answer and its version', async () => {
  const { client } = await startScriptedService([
    ok({ id: 'job_1' }, { pending: 'heating' }, { etag: '"3"', 'x-request-id': 'req-1' }),
  ])
  const { data, envelope, etag, requestId } = await client.jobs.pause('job_1').withResponse()
  expect({ data, pending: envelope.pending, etag, requestId }).toEqual({
    data: { id: 'job_1' },
    pending: 'heating',
    etag: '"3"',
    requestId: 'req-1',
  })
})

test('a refusal has status, code, details and the ID of the request', async () => {
  const { client, requests } = await startScriptedService([refused(404, 'NOT_FOUND', { 'x-request-id': 'req-2' })])
  const error: unknown = await client.jobs.get('job_1').catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 404, code: 'NOT_FOUND', details: { reason: 'test' }, requestId: 'req-2' })
  await expect(client.jobs.get('job_1').withResponse()).rejects.toBeInstanceOf(ApiError)
  expect(requests).toHaveLength(2)
})

test('a request that is not valid says so by field, and other details are no fields', async () => {
  const error = new ApiError('No.', {
    status: 400,
    code: 'VALIDATION_ERROR',
    details: { name: ['is too long'], _root: ['is too much'], odd: 3, list: [1] },
  })
  expect(error.fields).toEqual({ name: ['is too long'], _root: ['is too much'] })
  expect(new ApiError('No.', { status: 409, code: 'CONFLICT', details: null }).fields).toEqual({})
  expect(error).toMatchObject({ requestId: null, retryAfterSeconds: null })
})

test('with a session no key is sent, and cookies only to the service itself', async () => {
  const sent: RequestInit[] = []
  const connection = new Connection({
    baseUrl: '',
    credential: 'session',
    fetch: async (_url, init) => {
      sent.push(init ?? {})
      return Response.json({ success: true, data: {} })
    },
  })
  await connection.call({ method: 'POST', path: '/app/v1/sign-out', json: {} })
  const headers = new Headers(sent[0]?.headers)
  expect([...headers.keys()]).toEqual(['content-type', 'idempotency-key'])
  expect(headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/)
  expect(sent[0]).toMatchObject({ credentials: 'same-origin', cache: 'no-store' })
})

test('a limit is waited for as long as the service says', async () => {
  const { client, requests } = await startScriptedService([
    refused(429, 'RATE_LIMITED', { 'retry-after': '1' }),
    ok({}),
  ])
  const started = performance.now()
  await client.jobs.get('job_1')
  expect(performance.now() - started).toBeGreaterThanOrEqual(990)
  expect(requests).toHaveLength(2)
})

test('a service that asks for more than a minute is not waited for', async () => {
  const { client, requests } = await startScriptedService([refused(429, 'RATE_LIMITED', { 'retry-after': '3600' })])
  await expect(client.jobs.get('job_1')).rejects.toMatchObject({ retryAfterSeconds: 3_600 })
  expect(requests).toHaveLength(1)
  const hurried = await startScriptedService([refused(429, 'RATE_LIMITED', { 'retry-after': '6' })])
  await expect(hurried.client.jobs.get('job_1', { longestWaitMs: 5_000 })).rejects.toMatchObject({ status: 429 })
  expect(hurried.requests).toHaveLength(1)
})

test('a POST whose answer was lost is sent again under the same Idempotency-Key', async () => {
  const { client, requests } = await startScriptedService([
    cut,
    refused(503, 'SERVICE_UNAVAILABLE', soon),
    refused(409, 'IDEMPOTENCY_IN_PROGRESS', soon),
    ok({ id: 'job_1' }),
  ])
  expect(await client.jobs.enqueue({ print_file_id: 'file_1' })).toEqual({ id: 'job_1' })
  expect(requests).toHaveLength(4)
  expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  await client.jobs.enqueue({ print_file_id: 'file_1' }, { idempotencyKey: 'order-1001' })
  expect(requests[4]?.headers['idempotency-key']).toBe('order-1001')
  await client.jobs.enqueue({ print_file_id: 'file_1' })
  expect(requests[5]?.headers['idempotency-key']).not.toBe(requests[0]?.headers['idempotency-key'])
})

test('an answer that broke off is asked for again', async () => {
  const { client, requests } = await startScriptedService([
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"success":tr')
      setTimeout(() => response.destroy(), 20)
    },
    ok({ id: 'job_1' }),
  ])
  expect(await client.jobs.get('job_1')).toEqual({ id: 'job_1' })
  expect(requests).toHaveLength(2)
})

test('a command to a machine is never sent again when its outcome is not known, but after a limit it is', async () => {
  const lost = await startScriptedService([cut, ok({})])
  await expect(lost.client.jobs.start('job_1')).rejects.toBeInstanceOf(ConnectionError)
  expect(lost.requests).toHaveLength(1)
  const failed = await startScriptedService([refused(503, 'HUB_COMMAND_FAILED'), ok({})])
  await expect(failed.client.printers.control('prn_1', { action: 'pause' })).rejects.toMatchObject({
    code: 'HUB_COMMAND_FAILED',
  })
  expect(failed.requests).toHaveLength(1)
  const limited = await startScriptedService([refused(429, 'RATE_LIMITED', soon), ok({})])
  await limited.client.jobs.start('job_1')
  expect(limited.requests).toHaveLength(2)
})

test('a change is not repeated when it may have been made, nor one that was refused on its merits', async () => {
  const lost = await startScriptedService([cut, ok({})])
  await expect(lost.client.jobs.update('job_1', { priority: 'high' })).rejects.toBeInstanceOf(ConnectionError)
  expect(lost.requests).toHaveLength(1)
  const refusal = await startScriptedService([refused(412, 'PRECONDITION_FAILED'), ok({})])
  await expect(refusal.client.jobs.update('job_1', {}, { ifMatch: '"2"' })).rejects.toMatchObject({ status: 412 })
  expect(refusal.requests.map(({ headers }) => headers['if-match'])).toEqual(['"2"'])
})

test('retries end, and can be switched off', async () => {
  const down = await startScriptedService([refused(503, 'SERVICE_UNAVAILABLE', soon)])
  await expect(down.client.jobs.get('job_1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(down.requests).toHaveLength(4)
  await expect(down.client.jobs.get('job_1', { maxRetries: 0 })).rejects.toBeInstanceOf(ApiError)
  expect(down.requests).toHaveLength(5)
})

test('the page of a proxy is a refusal without a code of ours, and another site is told', async () => {
  const proxy = await startScriptedService(
    [(response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')],
    { maxRetries: 1 },
  )
  await expect(proxy.client.jobs.get('job_1')).rejects.toMatchObject({ status: 502, code: 'UNKNOWN', requestId: null })
  expect(proxy.requests).toHaveLength(2)
  const site = await startScriptedService([(response) => response.end('<h1>Welcome</h1>')])
  await expect(site.client.jobs.get('job_1')).rejects.toThrow(UnreadableAnswerError)
  const other = await startScriptedService([(response) => response.end('[{"id":"job_1"}]')])
  await expect(other.client.jobs.get('job_1')).rejects.toMatchObject({ name: 'UnreadableAnswerError', status: 200 })
  expect([site.requests.length, other.requests.length]).toEqual([1, 1])
})

test('an attempt ends after its time, and a call when its signal says so', async () => {
  const { client, requests } = await startScriptedService([silent])
  await expect(client.jobs.get('job_1', { timeoutMs: 500, maxRetries: 1 })).rejects.toBeInstanceOf(TimeoutError)
  expect(requests).toHaveLength(2)
  const ending = new AbortController()
  setTimeout(() => ending.abort(new Error('enough')), 500)
  await expect(client.jobs.get('job_1', { signal: ending.signal })).rejects.toThrow('enough')
  expect(requests).toHaveLength(3)
})
