import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { farmForAllTests } from '../test/app/app-hooks.ts'
import { routes } from '../test/app/walked-routes.ts'

const { t, farm } = farmForAllTests()

/** Over a real connection, because the form of an empty body is one of the wire. */
async function send(method: string, path: string, headers: Record<string, string>, body = '') {
  const outgoing = httpRequest(`${t.app.listeningOrigin}/public/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${farm.account.key}`, ...headers },
    agent: false,
  })
  outgoing.end(body)
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of incoming) text += chunk
  return { status: incoming.statusCode ?? 0, code: JSON.parse(text).error?.code as string | undefined, text }
}

const types = ['application/x-www-form-urlencoded', 'text/plain', 'application/json', 'not a type', '', undefined]
const lengths = [{ 'content-length': '0' }, { 'transfer-encoding': 'chunked' }] as const
const emptyBodies = types.flatMap((type) =>
  lengths.map((length) => ({ ...(type !== undefined && { 'content-type': type }), ...length })),
)
const actions = routes.filter(([method, , scope, body]) => method === 'POST' && scope !== null && body === undefined)

describe('an action', () => {
  test.each(actions.map(([, path]) => path))('%s takes an empty body of any type for none', async (path) => {
    const target = path.replaceAll(/:\w+/g, 'unknown')
    const plain = await send('POST', target, { 'content-length': '0' })
    for (const headers of emptyBodies) {
      const { status, code } = await send('POST', target, headers)
      expect({ headers, status, code }).toEqual({ headers, status: plain.status, code: plain.code })
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await send('POST', target, form, 'a=b')).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
    const chunked = { 'content-type': 'not a type', 'transfer-encoding': 'chunked' }
    expect(await send('POST', target, chunked, 'a=b')).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
  })

  test('takes place for a client that names the type of a form with every request', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' }
    const jobId = await farm.queueJob()
    await farm.print(jobId)
    expect(await send('POST', `/jobs/${jobId}/pause`, headers)).toMatchObject({ status: 200 })
    expect(await send('POST', `/jobs/${jobId}/resume`, headers)).toMatchObject({ status: 200 })
    expect(await send('POST', `/jobs/${jobId}/stop`, headers)).toMatchObject({ status: 200 })
    expect(await send('POST', `/jobs/${jobId}/retry`, headers)).toMatchObject({ code: 'JOB_STATE_CHANGED' })
  })
})

test('what needs a body says which fields it misses when the body is empty', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' }
  const control = `/printers/${farm.printerId}/control`
  expect(await send('POST', control, headers)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
})
