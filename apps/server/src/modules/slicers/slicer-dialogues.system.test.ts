import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildGcode3mf } from '@printyard/print-files/test/build-gcode-3mf'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { appForAllTests } from '../../test/app/app-hooks.ts'
import type { TestAccount } from '../../test/app/test-app.ts'
import { readSlicedFile, slicedFileName } from '../../test/farm/sliced-file.ts'

/** Each slicer's own way through its dialogue, after the source of the slicer. */

let farm: TestAccount
let sliced: Buffer
const t = appForAllTests()
beforeAll(async () => {
  sliced = await readSlicedFile()
})
beforeEach(async () => {
  farm = await t.account()
})

interface Part {
  name: string
  content: string | Buffer
  fileName?: string
  type?: string
}

function formOf(boundary: string, parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, content, fileName, type }) => [
    `--${boundary}\r\n`,
    type === undefined ? '' : `Content-Type: ${type}\r\n`,
    `Content-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n\r\n`,
    content,
    '\r\n',
  ])
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)))
}

const listFiles = async (): Promise<{ id: string; name: string }[]> => (await farm.request('GET', '/files')).json().data
const listJobs = async (): Promise<unknown[]> => (await farm.request('GET', '/jobs')).json().data

describe('PrusaSlicer and OrcaSlicer', () => {
  const boundary = '------------------------d74496d66958873e'

  function send(content: Buffer, fields: Record<string, string>, fileName: string) {
    const texts = Object.entries(fields).map(([name, text]) => ({ name, content: text }))
    return t.app.inject({
      method: 'POST',
      url: '/octoprint/api/files/local',
      payload: formOf(boundary, [...texts, { name: 'file', content, fileName, type: 'application/octet-stream' }]),
      headers: { 'x-api-key': farm.key, 'content-type': `multipart/form-data; boundary=${boundary}` },
    })
  }

  test('find `api` and an OctoPrint behind the button "Test", which comes before every upload as well', async () => {
    const headers = { 'x-api-key': farm.key }
    const answer = await t.app.inject({ method: 'GET', url: '/octoprint/api/version', headers })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      api: expect.stringMatching(/./),
      server: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      text: expect.stringMatching(/^OctoPrint/),
    })
  })

  test('send an archive with the plate that is meant, and another plate of the same archive is another version', async () => {
    const archive = buildGcode3mf({
      plates: [
        { index: 1, predictionSeconds: 600 },
        { index: 2, predictionSeconds: 1_200 },
      ],
    })
    const plate = (plateindex: string, print = 'false') =>
      send(archive, { print, path: '', plateindex }, 'trays.gcode.3mf')
    const detail = async () => {
      const [file] = await listFiles()
      return (await farm.request('GET', `/files/${file?.id}`)).json().data
    }
    expect((await plate('2', 'true')).statusCode).toBe(201)
    expect((await detail()).print_time_seconds).toBe(1_200)
    expect(await listJobs()).toMatchObject([{ status: 'queued' }])
    expect((await plate('2')).statusCode).toBe(201)
    expect((await detail()).versions).toHaveLength(1)
    expect((await plate('1')).statusCode).toBe(201)
    expect(await detail()).toMatchObject({ print_time_seconds: 600, versions: { length: 2 } })
    expect(await listFiles()).toHaveLength(1)
  })

  test.each(['0', '-1', 'first', '1.5', '99999', '7'])(
    'a plate %j that there is not is refused',
    async (plateindex) => {
      const answer = await send(buildGcode3mf(), { print: 'true', path: '', plateindex }, 'tray.gcode.3mf')
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ code: 'VALIDATION_ERROR', error: expect.stringContaining('plate') })
      expect(await listFiles()).toEqual([])
      expect(await listJobs()).toEqual([])
    },
  )
})

describe('Cura with its OctoPrint plugin', () => {
  const boundary = 'boundary_.oOo._MTgxNTk='
  const headers = () => ({ 'x-api-key': farm.key, 'user-agent': 'cura/5.7.0 OctoPrintPlugin/3.7.4' })
  const ask = (path: string, key = farm.key) =>
    t.app.inject({ method: 'GET', url: `/octoprint/api/${path}`, headers: { ...headers(), 'x-api-key': key } })
  const say = (path: string, payload: object) =>
    t.app.inject({ method: 'POST', url: `/octoprint/api/${path}`, headers: headers(), payload })

  /** It names what is to happen behind the file, and only when it is to happen. */
  function send(content: Buffer, wishes: string[], fileName = slicedFileName) {
    const text = (name: string, value: string) => ({ name, content: value, type: 'text/plain' })
    const file = { name: 'file', content, fileName, type: 'application/octet-stream' }
    return t.app.inject({
      method: 'POST',
      url: '/octoprint/api/files/local',
      payload: formOf(boundary, [text('path', 'a/folder'), file, ...wishes.map((wish) => text(wish, 'true'))]),
      headers: { ...headers(), 'content-type': `multipart/form-data; boundary="${boundary}"` },
    })
  }

  test('takes the key for right, and sees a printer that is idle and a job that is none', async () => {
    const settings = await ask('settings')
    expect(settings.statusCode).toBe(200)
    expect(settings.json().feature).toEqual({ sdSupport: false })
    expect((await ask('settings', 'wrong')).statusCode).toBe(401)

    const { flags } = (await ask('printer')).json().state
    for (const flag of ['error', 'closedOrError', 'paused', 'pausing', 'printing', 'cancelling']) {
      expect(flags[flag], flag).toBe(false)
    }
    expect(flags).toMatchObject({ ready: true, operational: true })
    const job = (await ask('job')).json()
    expect(job).toMatchObject({ state: 'Operational', job: { file: { name: null } } })
    expect(job.progress).toMatchObject({ completion: null, printTime: null, printTimeLeft: null })

    expect((await ask('version')).json().server).toMatch(/^\d/)
    expect(Object.values((await ask('printerprofiles')).json().profiles)).toMatchObject([{ current: true }])
    expect((await say('login', { passive: true })).json()).toMatchObject({ name: 'Printyard' })
  })

  test('sends a file, and finds it where the answer says', async () => {
    const answer = await send(sliced, [])
    expect(answer.statusCode).toBe(201)
    const location = String(answer.headers.location)
    const [, endPoint] = location.split('api/', 2)
    expect(endPoint).toBe(`files/local/${slicedFileName}`)
    const [file] = await listFiles()
    expect((await ask(String(endPoint))).json()).toMatchObject({
      name: slicedFileName,
      refs: { resource: location, print_file: expect.stringMatching(new RegExp(`/public/v1/files/${file?.id}$`)) },
    })
    expect(await listJobs()).toEqual([])
  })

  test('queues a plate with the file, or afterwards by choosing it', async () => {
    expect((await send(sliced, ['select', 'print'])).json()).toMatchObject({ effectivePrint: true })
    expect(await listJobs()).toMatchObject([{ status: 'queued', printer_id: null }])
    const path = `files/local/${slicedFileName}`
    expect((await say(path, { command: 'select' })).statusCode).toBe(204)
    expect(await listJobs()).toHaveLength(1)
    expect((await say(path, { command: 'select', print: true })).statusCode).toBe(204)
    expect(await listJobs()).toHaveLength(2)
  })

  test('a name with blanks and signs leads to its file', async () => {
    const name = 'a shelf & 100% more #2.gcode'
    const { location } = (await send(sliced, [], name)).headers
    const found = await t.app.inject({ method: 'GET', url: new URL(String(location)).pathname, headers: headers() })
    expect(found.json()).toMatchObject({ name })
  })

  test('is refused in bare words, which is all that it shows', async () => {
    const refusals = [
      [await say('files/local/nothing.gcode', { command: 'select', print: true }), 404],
      [await say(`files/local/${slicedFileName}`, { command: 'slice' }), 400],
      [await send(Buffer.from('nothing that prints'), []), 400],
      [await ask('settings', 'wrong'), 401],
    ] as const
    for (const [answer, status] of refusals) {
      expect(answer.statusCode).toBe(status)
      expect(answer.headers['content-type']).toBe('text/plain')
      expect(answer.body).toMatch(/^[^{}]+\.$/)
    }
    expect(await listJobs()).toEqual([])
  })

  test('does not reach the files of another account by their names', async () => {
    await send(sliced, [])
    const { key } = await t.account()
    expect((await ask(`files/local/${slicedFileName}`, key)).statusCode).toBe(404)
    const chosen = await t.app.inject({
      method: 'POST',
      url: `/octoprint/api/files/local/${slicedFileName}`,
      headers: { ...headers(), 'x-api-key': key },
      payload: { command: 'select', print: true },
    })
    expect(chosen.statusCode).toBe(404)
    expect(await listJobs()).toEqual([])
  })
})

describe('PrusaSlicer and OrcaSlicer with the host type PrusaLink', () => {
  const url = '/prusalink/api'
  const ask = (path: string, key = farm.key) =>
    t.app.inject({ method: 'GET', url: `${url}/${path}`, headers: { 'x-api-key': key } })
  const send = (path: string, content: Buffer, headers: Record<string, string> = {}) =>
    t.app.inject({
      method: 'PUT',
      url: `${url}/v1/files/local/${path}`,
      payload: content,
      headers: { 'x-api-key': farm.key, 'content-type': 'text/x.gcode', overwrite: '?1', ...headers },
    })

  test('find a PrusaLink that takes a PUT, and a storage that may be written to', async () => {
    const version = await ask('version')
    expect(version.json()).toMatchObject({
      api: expect.stringMatching(/./),
      text: expect.stringMatching(/^PrusaLink/),
      capabilities: { 'upload-by-put': true },
    })
    expect((await ask('v1/storage')).json().storage_list).toMatchObject([
      { path: '/local', available: true, read_only: false },
    ])
    expect((await ask('v1/status')).json().printer.state).toBe('IDLE')
    expect((await ask('v1/info')).statusCode).toBe(200)
    expect((await ask('version', 'wrong')).statusCode).toBe(401)
  })

  test('send a file by PUT, into a folder that counts for nothing, and print it with the header that says so', async () => {
    const answer = await send(`jobs/${encodeURIComponent(slicedFileName)}`, sliced)
    expect(answer.statusCode, answer.body).toBe(201)
    expect(answer.json()).toMatchObject({ name: slicedFileName })
    expect(await listFiles()).toHaveLength(1)
    expect(await listJobs()).toEqual([])
    expect((await send(slicedFileName, sliced, { 'print-after-upload': '?0' })).statusCode).toBe(201)
    expect(await listJobs()).toEqual([])
    expect((await send(slicedFileName, sliced, { 'print-after-upload': '?1' })).statusCode).toBe(201)
    expect(await listFiles()).toHaveLength(1)
    expect(await listJobs()).toMatchObject([{ status: 'queued', printer_id: null }])
    const start = await t.app.inject({
      method: 'POST',
      url: `${url}/v1/files/local/${slicedFileName}`,
      headers: { 'x-api-key': farm.key },
    })
    expect(start.statusCode).toBe(204)
    expect(await listJobs()).toHaveLength(2)
    expect((await ask(`v1/files/local/${slicedFileName}`)).json()).toMatchObject({ display_name: slicedFileName })
  })

  test('a file of that name with other bytes is a new version, or is refused where nothing is to be overwritten', async () => {
    await send(slicedFileName, sliced)
    const other = Buffer.concat([sliced, Buffer.from('\n; another\n')])
    const refused = await send(slicedFileName, other, { overwrite: '?0', 'print-after-upload': '?1' })
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toMatchObject({ title: 'ALREADY_EXISTS', text: expect.stringMatching(/\.$/) })
    expect(await listJobs()).toEqual([])
    expect((await send(slicedFileName, other)).statusCode).toBe(201)
    const [file] = await listFiles()
    expect((await farm.request('GET', `/files/${file?.id}`)).json().data.versions).toHaveLength(2)
  })

  test('are told in a sentence what was refused, and nothing is kept of it', async () => {
    const refusals = [
      [await send('part.gcode', Buffer.from('nothing that prints')), 400],
      [await send('part.txt', sliced), 400],
      [await send('part.gcode', Buffer.alloc(0)), 400],
      [await ask('v1/files/usb/part.gcode'), 404],
      [await ask('v1/files/local/nothing.gcode'), 404],
    ] as const
    for (const [answer, status] of refusals) {
      expect(answer.statusCode, answer.body).toBe(status)
      expect(answer.json()).toMatchObject({ code: String(status), text: expect.stringMatching(/\.$/) })
    }
    expect(await listFiles()).toEqual([])
  })
})

describe('PrusaSlicer with the host type Klipper, and other senders to Moonraker', () => {
  const boundary = '------------------------2c1d7e5f09ab4433'
  const ask = (path: string, key = farm.key) =>
    t.app.inject({ method: 'GET', url: `/moonraker/${path}`, headers: { 'x-api-key': key } })

  function send(content: Buffer, fields: Record<string, string>, fileName = slicedFileName) {
    const texts = Object.entries(fields).map(([name, text]) => ({ name, content: text }))
    return t.app.inject({
      method: 'POST',
      url: '/moonraker/server/files/upload',
      payload: formOf(boundary, [...texts, { name: 'file', content, fileName, type: 'application/octet-stream' }]),
      headers: { 'x-api-key': farm.key, 'content-type': `multipart/form-data; boundary=${boundary}` },
    })
  }

  test('find a Moonraker with a Klipper that is ready, and where files go', async () => {
    expect((await ask('server/info')).json().result).toMatchObject({
      klippy_state: 'ready',
      moonraker_version: expect.stringMatching(/^v\d/),
    })
    expect((await ask('printer/info')).json().result.state).toBe('ready')
    expect((await ask('access/info')).json().result.login_required).toBe(true)
    expect((await ask('server/files/roots')).json().result).toEqual([
      { name: 'gcodes', path: '/gcodes', permissions: 'rw' },
    ])
    expect((await ask('server/info', 'wrong')).statusCode).toBe(401)
  })

  test('send a file, and print it with the field that says so, or afterwards by its name', async () => {
    const answer = await send(sliced, { root: 'gcodes', path: 'a/folder' })
    expect(answer.statusCode, answer.body).toBe(201)
    expect(answer.json()).toMatchObject({ item: { path: slicedFileName, root: 'gcodes' }, print_queued: false })
    expect(await listJobs()).toEqual([])
    expect((await send(sliced, { root: 'gcodes', print: 'true' })).json()).toMatchObject({ print_queued: true })
    expect(await listFiles()).toHaveLength(1)
    expect(await listJobs()).toMatchObject([{ status: 'queued', printer_id: null }])
    const start = await t.app.inject({
      method: 'POST',
      url: `/moonraker/printer/print/start?filename=${encodeURIComponent(slicedFileName)}`,
      headers: { 'x-api-key': farm.key },
    })
    expect(start.json()).toEqual({ result: 'ok' })
    expect(await listJobs()).toHaveLength(2)
  })

  test('are told in a sentence what was refused', async () => {
    const answer = await send(Buffer.from('nothing that prints'), { print: 'true' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toMatchObject({ code: 400, message: expect.stringMatching(/\.$/) })
    expect(await listFiles()).toEqual([])
    expect(await listJobs()).toEqual([])
  })
})

test('a key that may only read sends nothing through any door', async () => {
  const reading = await t.account({ scopes: ['read'] })
  for (const path of ['/octoprint/api/version', '/prusalink/api/version', '/moonraker/server/info']) {
    const answer = await t.app.inject({ method: 'GET', url: path, headers: { 'x-api-key': reading.key } })
    expect(answer.statusCode, path).toBe(403)
    expect(answer.body).toContain('INSUFFICIENT_SCOPE')
  }
})

test('PrusaSlicer signs in to PrusaLink by an HTTP digest, as its library does it', async () => {
  const origin = t.app.server.listening ? t.app.listeningOrigin : await t.app.listen({ host: '127.0.0.1', port: 0 })
  const login = await t.app.inject({ method: 'GET', url: '/prusalink/digest', headers: { 'x-api-key': farm.key } })
  const { user, password } = login.json()
  const address = `${origin}/prusalink/api/v1/files/local/${slicedFileName}`
  const curl = async (secret: string, ...more: string[]) => {
    const args = ['--silent', '--digest', '--user', `${user}:${secret}`, '--write-out', '\n%{http_code}', ...more]
    return (await promisify(execFile)('curl', [...args, address])).stdout.split('\n').at(-1)
  }
  const folder = await mkdtemp(join(tmpdir(), 'printyard-slicer-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, slicedFileName), sliced)
  const upload = [
    '--upload-file',
    join(folder, slicedFileName),
    '--header',
    'Overwrite: ?1',
    '--header',
    'Print-After-Upload: ?1',
  ]
  expect(await curl(password, ...upload)).toBe('201')
  expect(await curl(password)).toBe('200')
  expect(await listJobs()).toHaveLength(1)
  expect(await curl('wrong', ...upload)).toBe('401')
  expect(await listJobs()).toHaveLength(1)
  // It opens this door alone, and no longer than its key.
  const [{ id } = { id: '' }] = await t.db.sql<{ id: string }[]>`
    select id from api_keys where account_id = ${farm.id}`
  expect(user).toBe(id)
  await t.db.sql`update api_keys set revoked_at = now() where account_id = ${farm.id} and id = ${id}`
  expect(await curl(password)).toBe('401')
})

test('a digest with an old nonce is told so, and one for another address or method is refused', async () => {
  const ask = (headers: Record<string, string> = {}) =>
    t.app.inject({ method: 'GET', url: '/prusalink/api/version', headers })
  const challenge = String((await ask()).headers['www-authenticate'])
  expect(challenge).toMatch(/^Digest realm="Printyard", qop="auth", algorithm=MD5, nonce="[^"]+"$/)
  const nonce = /nonce="([^"]+)"/.exec(challenge)?.[1] ?? ''
  const login = await t.app.inject({ method: 'GET', url: '/prusalink/digest', headers: { 'x-api-key': farm.key } })
  const { user, password } = login.json()
  const md5 = (text: string) => hash('md5', text, 'hex')
  const claim = (uri: string, of = nonce) => {
    const response = md5(`${md5(`${user}:Printyard:${password}`)}:${of}:00000001:abc:auth:${md5(`GET:${uri}`)}`)
    return `Digest username="${user}", realm="Printyard", nonce="${of}", uri="${uri}", qop=auth, nc=00000001, cnonce="abc", response="${response}"`
  }
  expect((await ask({ authorization: claim('/prusalink/api/version') })).statusCode).toBe(200)
  expect((await ask({ authorization: claim('/prusalink/api/v1/info') })).statusCode).toBe(401)
  expect((await ask({ authorization: claim('/prusalink/api/version', 'made-up') })).statusCode).toBe(401)
  const elsewhere = await t.app.inject({
    url: '/octoprint/api/version',
    headers: { authorization: claim('/octoprint/api/version') },
  })
  expect(elsewhere.statusCode).toBe(401)
  const { clock } = t.context
  t.context.clock = { now: () => new Date(Date.now() + 6 * 60_000) }
  try {
    const late = await ask({ authorization: claim('/prusalink/api/version') })
    expect(late.statusCode).toBe(401)
    expect(late.headers['www-authenticate']).toContain('stale=true')
  } finally {
    t.context.clock = clock
  }
})
