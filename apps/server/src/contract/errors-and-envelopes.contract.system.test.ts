import { describe, expect, test } from 'vitest'
import { openDatabase } from '../db/database.ts'
import { accountForAllTests } from '../test/app/app-hooks.ts'
import { createTestApp } from '../test/app/test-app.ts'
import { dataOf, errorOf, expectRefused, keyWith } from './expectations.ts'

const { t, account } = accountForAllTests()

const task = { title: 'x', task_type: 'assembly' }
const createTask = (body: unknown, headers = {}) => account.request('POST', '/worklist', body, headers)

describe('envelopes', () => {
  test('a success is {success, data}, a list also has meta, a failure is {success, error}', async () => {
    dataOf(await createTask(task), 201)
    const list = (await account.request('GET', '/worklist')).json()
    expect(Object.keys(list).sort()).toEqual(['data', 'meta', 'success'])
    expect(list.meta).toMatchObject({ limit: 50, offset: 0, count: list.data.length })
    const { details, ...error } = errorOf(await account.request('GET', '/jobs/x'), 404, 'NOT_FOUND')
    expect(details).toBeUndefined()
    expect(Object.keys(error).sort()).toEqual(['code', 'message'])
  })

  test('the version is part of the path, and that of the API description is 1.0.0', async () => {
    const described = (await t.app.inject('/public/v1/openapi.json')).json()
    expect(described).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), info: { version: '1.0.0' } })
    errorOf(await account.request('GET', '/../v2/jobs'), 404, 'NOT_FOUND')
  })

  test('every answer carries a request id: a sane one of the client is kept, any other replaced', async () => {
    const idOf = async (given: string) =>
      (await account.request('GET', '/jobs/x', undefined, { 'x-request-id': given })).headers['x-request-id']
    expect(await idOf('shop-42_a.b')).toBe('shop-42_a.b')
    for (const given of ['', 'a b', 'x'.repeat(129), 'a"b']) expect(await idOf(given)).toMatch(/^[0-9a-f-]{36}$/)
    const unknown = await t.app.inject('/public/v1/nothing')
    expect(unknown.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('nothing is to be cached', async () => {
    for (const path of ['/jobs', '/jobs/x', '/nothing']) {
      expect((await account.request('GET', path)).headers['cache-control']).toBe('no-store')
    }
  })
})

describe('the order of checks', () => {
  test('the route comes before the key: 404 NOT_FOUND, and 405 METHOD_NOT_ALLOWED with Allow', async () => {
    errorOf(await t.app.inject('/public/v1/nothing'), 404, 'NOT_FOUND')
    const wrongMethod = await t.app.inject({ method: 'DELETE', url: '/public/v1/analytics/overview' })
    errorOf(wrongMethod, 405, 'METHOD_NOT_ALLOWED')
    expect(wrongMethod.headers.allow).toBe('GET, HEAD')
  })

  test('the key comes before the body, the scope before the body, the body before what it names', async () => {
    const wrong = { title: '', printer_id: 'unknown' }
    const as = (key: string, body: unknown) =>
      account.request('POST', '/worklist', body, { authorization: `Bearer ${key}` })
    errorOf(await as('nonsense', '{'), 401, 'TOKEN_INVALID')
    errorOf(await as(await keyWith(t, account, ['read', 'control']), '{'), 403, 'INSUFFICIENT_SCOPE')
    const writing = await keyWith(t, account, ['write'])
    expectRefused(await as(writing, wrong), 'title', 'task_type')
    errorOf(await as(writing, { ...task, printer_id: 'unknown' }), 404, 'PRINTER_NOT_FOUND')
    // The same where the path names the thing.
    const put = (body: unknown) => account.request('PUT', '/inventory/unknown/threshold', body)
    expectRefused(await put({ low_stock_threshold: -1 }), 'low_stock_threshold')
    errorOf(await put({ low_stock_threshold: 1 }), 404, 'NOT_FOUND')
  })
})

describe('bodies', () => {
  test('415 UNSUPPORTED_MEDIA_TYPE for what does not say that it is JSON', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data']) {
      errorOf(await createTask(JSON.stringify(task), { 'content-type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE')
    }
    dataOf(await createTask(JSON.stringify(task), { 'content-type': 'application/json; charset=utf-8' }), 201)
  })

  test('413 PAYLOAD_TOO_LARGE above 1 MiB, not at it', async () => {
    const sized = (bytes: number) => JSON.stringify(task).padEnd(bytes, ' ')
    dataOf(await createTask(sized(1024 * 1024)), 201)
    errorOf(await createTask(sized(1024 * 1024 + 1)), 413, 'PAYLOAD_TOO_LARGE')
  })

  test('what is no JSON is a VALIDATION_ERROR of the whole body', async () => {
    for (const body of ['{', '{"title":}', "{'title':'x'}", '{"title":"x",}', 'title=x', '\ufeff', 'NaN']) {
      expectRefused(await createTask(body), '_root')
    }
  })

  test('a body that would reach into objects of the service is refused', async () => {
    expectRefused(await createTask('{"title":"x","task_type":"assembly","__proto__":{"status":"completed"}}'), '_root')
    expectRefused(await createTask('{"constructor":{"prototype":{"status":"completed"}}}'), '_root')
  })

  test('fields within lists are named by their dotted path, every one of them at once', async () => {
    const line = { product_sku_id: 'x', quantity: 1, unit_price: 1 }
    const answer = await account.request('POST', '/orders', {
      items: [line, { ...line, quantity: 0 }, { product_sku_id: 'x', quantity: 1, unit_price: '5' }, {}],
    })
    expectRefused(
      answer,
      'items.1.quantity',
      'items.2.unit_price',
      'items.3.product_sku_id',
      'items.3.quantity',
      'items.3.unit_price',
    )
    expectRefused(await account.request('POST', '/orders', { items: [] }), 'items')
    expectRefused(await account.request('POST', '/orders', { items: [{ ...line, notes: 'a\0' }] }), 'items.0.notes')
  })

  test('texts that no one can store are refused under their name, also as names and in paths', async () => {
    expectRefused(await createTask('{"title":"a\\u0000b","task_type":"assembly"}'), 'title')
    expectRefused(await createTask('{"title":"\\ud83d","task_type":"assembly"}'), 'title')
    expectRefused(await createTask('{"title":"\\ude00\\ud83d","task_type":"assembly"}'), 'title')
    expect(dataOf(await createTask('{"title":"\\ud83d\\ude00","task_type":"assembly"}'), 201).title).toBe('😀')
    expectRefused(await account.request('GET', '/jobs/a%00b'), 'id')
    expectRefused(await account.request('GET', '/jobs?printer_id=a%00b'), 'printer_id')
  })
})

describe('what goes wrong inside', () => {
  test('500 INTERNAL_ERROR says nothing of how', async () => {
    const { files } = t.context
    const { id } = dataOf(await account.request('POST', '/products', { name: 'Lamp' }), 201)
    await t.db.sql`
      insert into print_files (account_id, id, name, product_id) values (${account.id}, 'fil_1', 'clip', ${id})`
    await t.db.sql`
      insert into print_file_versions (account_id, id, print_file_id, version_number, is_current_version,
        original_name, sha256, file_size_bytes, format, is_sliced, metadata)
      values (${account.id}, 'ver_1', 'fil_1', 1, true, 'clip.gcode', ${'0'.repeat(64)}, 1, 'gcode', true, '{}')`
    t.context.files = { ...files, read: () => Promise.reject(new TypeError('secret is not a function at /srv/x.ts')) }
    try {
      const answer = await account.request('GET', '/files/fil_1/content')
      errorOf(answer, 500, 'INTERNAL_ERROR')
      expect(answer.body).not.toMatch(/secret|srv|TypeError|stack/)
    } finally {
      t.context.files = files
    }
  })

  test('503 SERVICE_UNAVAILABLE with Retry-After while the database does not answer', async () => {
    const nowhere = openDatabase({ target: { url: 'postgres://127.0.0.1:1/none' } })
    const away = await createTestApp({ context: { db: nowhere } })
    const theirs = await away.account()
    const answer = await theirs.request('GET', '/jobs')
    errorOf(answer, 503, 'SERVICE_UNAVAILABLE')
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/)
    expect(answer.body).not.toContain('select')
    await away.close()
    await nowhere.close()
  })
})
