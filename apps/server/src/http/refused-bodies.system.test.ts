import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { JOIN_PATH } from '@printyard/protocol/version'
import { beforeAll, describe, expect, test } from 'vitest'
import { accountForAllTests } from '../test/app/app-hooks.ts'

let port: number
const { t, account } = accountForAllTests()
beforeAll(async () => {
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  port = (t.app.server.address() as AddressInfo).port
})

const post = (payload: Buffer | string, headers: Record<string, string>) =>
  t.app.inject({
    method: 'POST',
    url: '/public/v1/products',
    headers: { authorization: `Bearer ${account.key}`, ...headers },
    payload,
  })

const names = async () =>
  (await account.request('GET', '/products')).json().data.map(({ name }: { name: string }) => name)

/** What takes a body from callers who are not known: signing in, setting up, joining, resetting, invitations, links. */
const doorsOfStrangers = [
  ...['setup', 'sign-in', 'passkeys/sign-in/options', 'passkeys/sign-in', 'password/forgot', 'password/reset'],
  ...[
    'invitations/look',
    'invitations/accept',
    'oidc/start',
    'oidc/invitations/accept',
    'task-links/look',
    'task-links/take',
  ],
]

test.each([...doorsOfStrangers.map((path) => `/app/v1/${path}`), JOIN_PATH])(
  'more than 16 KB is not read at %s, where no one knows yet who sends it',
  async (url) => {
    const send = (bytes: number) =>
      t.app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        payload: JSON.stringify({ name: 'x'.repeat(bytes - '{"name":""}'.length) }),
      })
    const [most, more] = [await send(16 * 1024), await send(16 * 1024 + 1)]
    expect(most.statusCode).not.toBe(413)
    expect([more.statusCode, more.json().error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  },
)

describe('a body that is not UTF-8', () => {
  // `{"name":"Größe"}` as ISO 8859-1, a lone continuation byte, an overlong slash, half of a surrogate pair, UTF-16.
  const bodies: [string, Buffer][] = [
    ['ISO 8859-1', Buffer.from('{"name":"Größe"}', 'latin1')],
    ['a continuation byte alone', Buffer.from('7b226e616d65223a2280227d', 'hex')],
    ['an overlong form', Buffer.from('7b226e616d65223a22c0af227d', 'hex')],
    ['half of a surrogate pair', Buffer.from('7b226e616d65223a22eda080227d', 'hex')],
    ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
  ]
  test.each(bodies)('is refused and not stored damaged: %s', async (_, body) => {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"']) {
      const answer = await post(body, { 'content-type': type })
      expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
    expect(await names()).not.toContainEqual(expect.stringContaining('\ufffd'))
  })

  test.each(['iso-8859-1', 'latin1', '"windows-1252"', 'utf-16', 'utf-7'])(
    'and says so by charset=%s is of a type that is not read',
    async (charset) => {
      const body = Buffer.from('{"name":"Größe"}', 'latin1')
      const answer = await post(body, { 'content-type': `application/json; charset=${charset}` })
      expect([answer.statusCode, answer.json().error]).toEqual([
        415,
        { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the body as UTF-8.' },
      ])
    },
  )

  test('is told apart from one that is', async () => {
    for (const [name, type] of [
      ['Größe 𝛑', 'application/json; charset=UTF-8'],
      ['ascii', 'application/json;charset=us-ascii'],
    ] as const) {
      const answer = await post(Buffer.from(JSON.stringify({ name })), { 'content-type': type })
      expect(answer.json().data.name).toBe(name)
    }
  })
})

describe('a compressed body', () => {
  test.each(['gzip', 'br', 'deflate', 'GZIP, identity'])('is refused with what is taken: %s', async (encoding) => {
    const answer = await post(gzipSync('{"name":"Zipped"}'), {
      'content-type': 'application/json',
      'content-encoding': encoding,
    })
    expect([answer.statusCode, answer.json().error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect(answer.headers['accept-encoding']).toBe('identity')
  })

  test('of a print file is refused too, before a byte of it is kept', async () => {
    const { token } = (await account.request('POST', '/files/upload-url', { filename: 'a.gcode' })).json().data
    const answer = await t.app.inject({
      method: 'PUT',
      url: `/public/v1/files/upload/${token}`,
      headers: { 'content-encoding': 'gzip' },
      payload: gzipSync('G28'),
    })
    expect([answer.statusCode, answer.json().error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test('that says to be none is read', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'identity' }
    expect((await post('{"name":"Plain"}', headers)).statusCode).toBe(201)
  })
})

test.each(['gzip', 'br', 'nonsense', ''])(
  'a GET that says to have a body in an encoding is answered as any other: %j',
  async (encoding) => {
    const plain = await account.request('GET', '/products')
    const encoded = await account.request('GET', '/products', undefined, { 'content-encoding': encoding })
    const withBody = await t.app.inject({
      method: 'GET',
      url: '/public/v1/products',
      headers: {
        authorization: `Bearer ${account.key}`,
        'content-type': 'application/json',
        'content-encoding': encoding,
      },
      payload: gzipSync('{"name":"Zipped"}'),
    })
    expect(plain.statusCode).toBe(200)
    for (const answer of [encoded, withBody]) expect([answer.statusCode, answer.json()]).toEqual([200, plain.json()])
  },
)

test.each(['{"name":"x","__proto__":{}}', '{"name":"x","a":{"__proto__":1}}', '{"constructor":{"prototype":{}}}'])(
  'a field that would change how objects behave is named: %s',
  async (body) => {
    const answer = await post(body, { 'content-type': 'application/json' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.details).toEqual({
      _root: ['must not have a field named __proto__, or one named constructor with a prototype in it'],
    })
  },
)

test.each(['9007199254740991', '9007199254740993', '10000001', '1000000000000000000'])(
  'an offset of %s is too large, not something else than a number',
  async (offset) => {
    const answer = await account.request('GET', `/products?offset=${offset}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.details).toEqual({ offset: ['must be at most 10000000'] })
  },
)

describe('what is too long', () => {
  /** Sends bytes as they are, and reads what comes back until the connection ends. */
  async function send(
    ...parts: string[]
  ): Promise<{ status: string; body: { error: { code: string; message: string } } }> {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (bytes) => {
      answer += bytes
    })
    socket.on('error', () => undefined)
    for (const part of parts) socket.write(part)
    await once(socket, 'close')
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    return { status: head.split('\r\n', 1)[0] ?? '', body: JSON.parse(body) }
  }

  const rest = 'Host: x\r\nConnection: close\r\n\r\n'

  test.each([9_000, 40_000])('an address of %i characters', async (length) => {
    for (const path of [`/public/v1/products?search=${'x'.repeat(length)}`, `/public/v1/${'x'.repeat(length)}`]) {
      const { status, body } = await send(`GET ${path} HTTP/1.1\r\n`, rest)
      expect([status, body.error.code]).toEqual(['HTTP/1.1 414 URI Too Long', 'URI_TOO_LONG'])
    }
  })

  test.each([20_000, 100_000])('header fields of %i bytes', async (length) => {
    const { status, body } = await send(`GET /livez HTTP/1.1\r\nX-Note: ${'x'.repeat(length)}\r\n`, rest)
    expect([status, body.error.code]).toEqual(['HTTP/1.1 431 Request Header Fields Too Large', 'HEADERS_TOO_LARGE'])
  })

  test('an address of which the end is not even read', async () => {
    const { status, body } = await send(`GET /${'x'.repeat(100_000)} HTTP/1.1\r\n`, rest)
    expect(status).toBe('HTTP/1.1 431 Request Header Fields Too Large')
    expect(body.error).toEqual({
      code: 'HEADERS_TOO_LARGE',
      message: 'The address and the header fields of the request have more than the 65536 bytes that are read.',
    })
  })

  test('many header fields', async () => {
    const fields = Array.from({ length: 900 }, (_, n) => `X-Note-${n}: ${'x'.repeat(20)}\r\n`).join('')
    const { status } = await send(`GET /livez HTTP/1.1\r\n${fields}`, rest)
    expect(status).toBe('HTTP/1.1 431 Request Header Fields Too Large')
  })

  test('an ID of any length that fits is one that names nothing', async () => {
    const answer = await account.request('GET', `/products/${'x'.repeat(5_000)}`)
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'NOT_FOUND'])
  })
})
