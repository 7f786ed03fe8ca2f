import type { LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { type Scope, scopes } from '../kernel/actor.ts'
import { createApiKey } from '../modules/people/api-keys/api-keys.service.ts'
import { systemWork } from '../test/app/system-work.ts'
import type { TestAccount, TestApp } from '../test/app/test-app.ts'

/** What the contract says of one field; a `?` after it: or null. */
type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'timestamp' | 'list'
export type Form = Readonly<Record<string, Kind | `${Kind}?`>>

const timestampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const isOf: Record<Kind, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  timestamp: (value) => typeof value === 'string' && timestampForm.test(value) && !Number.isNaN(Date.parse(value)),
  list: (value) => Array.isArray(value),
}

/** Exactly these fields, each of its kind. */
export function expectForm(data: Record<string, unknown>, form: Form): void {
  expect(Object.keys(data).sort()).toEqual(Object.keys(form).sort())
  const wrong = Object.entries(form).filter(([name, kind]) => {
    const isOfKind = isOf[kind.replace('?', '') as Kind]
    return !(kind.endsWith('?') && data[name] === null) && !isOfKind(data[name])
  })
  expect(wrong.map(([name, kind]) => `${name}: ${kind}, not ${JSON.stringify(data[name])}`)).toEqual([])
}

/** The list projection of a print job. */
export const jobForm: Form = {
  id: 'string',
  status: 'string?',
  printer_id: 'string?',
  product_id: 'string?',
  product_sku_id: 'string?',
  product_name: 'string?',
  file_name: 'string',
  number_of_units: 'number',
  color: 'string',
  filament_type: 'string',
  material_type: 'string',
  progress_percentage: 'number?',
  estimated_print_time_minutes: 'number?',
  actual_print_time_minutes: 'number?',
  failure_reason: 'string?',
  time_submitted: 'timestamp?',
  time_started: 'timestamp?',
  time_completed: 'timestamp?',
  created_at: 'timestamp?',
  updated_at: 'timestamp?',
}

/** The detail projection of a print job. */
export const jobDetailForm: Form = {
  ...jobForm,
  filament_needed_grams: 'number?',
  printer_name: 'string?',
  printer_model: 'string?',
  sku_name: 'string?',
}

/** The data of a success with this status, in an envelope of nothing else but `also`. */
export function dataOf(answer: LightMyRequestResponse, status = 200, also: string[] = []) {
  expect(answer.statusCode, answer.body).toBe(status)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  const body = answer.json()
  expect(Object.keys(body).sort()).toEqual(['success', 'data', ...also].sort())
  expect(body.success).toBe(true)
  return body.data
}

/** The error of a failure with this status and code, in an envelope of nothing else. */
export function errorOf(answer: LightMyRequestResponse, status: number, code: string) {
  expect([answer.statusCode, answer.json().error?.code], answer.body).toEqual([status, code])
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  const { success, error, ...others } = answer.json()
  expect(success).toBe(false)
  expect(others).toEqual({})
  expect(error.message).toMatch(/\S/)
  expect(Object.keys(error).filter((name) => !['code', 'message', 'details'].includes(name))).toEqual([])
  return error
}

/** A validation error that names exactly these fields, each with its messages. */
export function expectRefused(answer: LightMyRequestResponse, ...fields: string[]): void {
  const { details } = errorOf(answer, 400, 'VALIDATION_ERROR')
  expect(Object.keys(details).sort(), answer.body).toEqual([...fields].sort())
  for (const messages of Object.values(details)) {
    expect(messages).toEqual(expect.arrayContaining([expect.stringMatching(/\S/)]))
  }
}

/** Text of this many code points, none of which fits one UTF-16 unit. */
export const astral = (length: number) => '𝛑'.repeat(length)

/** A key of an account with these scopes. */
export async function keyWith(t: TestApp, account: TestAccount, granted: readonly Scope[]): Promise<string> {
  const input = { name: 'scoped', scopes: granted, expiresAt: null }
  return (await createApiKey(systemWork(t.db.sql, account.id), input)).key
}

interface Endpoint {
  method: 'GET' | 'POST' | 'PUT'
  /** Below /public/v1; `:id` stands for the thing. */
  path: string
  scope: Scope
  body?: object
}

/** What every endpoint promises; `given` tells whose application it is, and the thing that `:id` names. */
export function keepsCommonPromises(
  { method, path, scope, body }: Endpoint,
  given: () => { t: TestApp; account: TestAccount; id?: string },
): void {
  const send = (key: string | undefined, id = given().id ?? '') =>
    given().t.app.inject({
      method,
      url: `/public/v1${path.replace(':id', id)}`,
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      ...(body && { payload: body }),
    })

  test('401 UNAUTHORIZED without a key, TOKEN_INVALID with an unknown one', async () => {
    errorOf(await send(undefined), 401, 'UNAUTHORIZED')
    errorOf(await send(`printyard_live_${'0'.repeat(64)}`), 401, 'TOKEN_INVALID')
  })

  test(`403 INSUFFICIENT_SCOPE with every scope but ${scope}, whether or not the thing exists`, async () => {
    const { t, account } = given()
    const key = await keyWith(
      t,
      account,
      scopes.filter((each) => each !== scope),
    )
    const refused = await send(key)
    errorOf(refused, 403, 'INSUFFICIENT_SCOPE')
    expect((await send(key, 'unknown')).body).toBe(refused.body)
  })

  test(`the scope ${scope} alone lets a call pass, and every answer carries its headers`, async () => {
    const { t, account } = given()
    const { statusCode, headers } = await send(await keyWith(t, account, [scope]), 'unknown')
    expect([401, 403]).not.toContain(statusCode)
    expect(headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^[\w.-]+$/),
      'cache-control': 'no-store',
      'x-ratelimit-limit': expect.stringMatching(/^\d+$/),
      'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
      'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
      ratelimit: expect.stringMatching(/^"default";r=\d+;t=\d+$/),
      'ratelimit-policy': expect.stringMatching(/^"default";q=\d+;w=60$/),
    })
  })

  if (!path.includes(':id')) return

  test("404 NOT_FOUND for an unknown ID of any form, and byte for byte the same for another account's", async () => {
    const { t, account, id = '' } = given()
    const unknown = await send(account.key, `${id.slice(0, -4)}zzzz`)
    errorOf(unknown, 404, 'NOT_FOUND')
    for (const other of ['x', '0', 'x'.repeat(80), 'x'.repeat(200), encodeURIComponent(astral(9)), '..%2fjobs']) {
      errorOf(await send(account.key, other), 404, 'NOT_FOUND')
    }
    const stranger = await t.account({ name: 'Stranger' })
    const foreign = await send(stranger.key)
    errorOf(foreign, 404, 'NOT_FOUND')
    expect(foreign.body).toBe(unknown.body)
  })
}
