import { expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { printOpenApiDocument } from '../../openapi-document.ts'
import { checkAnswer, makeAnswerCheck, refuseWrongAnswers, type SeenAnswer } from './answer-validation.ts'
import { createTestApp } from './test-app.ts'

const check = makeAnswerCheck(JSON.parse(await printOpenApiDocument()))
const json = 'application/json; charset=utf-8'

function seen(body: unknown, changes: Partial<SeenAnswer> = {}): SeenAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method: 'GET', url: '/public/v1/hubs?limit=1', status: 200, contentType: json, body: text, ...changes }
}

const failure = (code: string) => ({ success: false, error: { code, message: 'No.' } })
const meta = { limit: 1, offset: 0, count: 0 }
const image = { method: 'GET', url: '/public/v1/files/fil_1/thumbnail', body: undefined }

test.each<[what: string, answer: SeenAnswer]>([
  ['an answer as it is described', seen({ success: true, data: [], meta })],
  ['a failure as it is described', seen(failure('INSUFFICIENT_SCOPE'), { status: 403 })],
  ['an address that no one has', seen(failure('NOT_FOUND'), { url: '/public/v1/nothing', status: 404 })],
  ['a method that an address does not take', seen(failure('METHOD_NOT_ALLOWED'), { method: 'PUT', status: 405 })],
  ['a picture where one is described', seen('', { ...image, contentType: 'image/png' })],
])('%s is let pass', (_, answer) => {
  expect(check(answer)).toBeUndefined()
})

test.each<[what: string, answer: SeenAnswer, problem: string]>([
  ['a status that is not declared', seen({ success: true, data: {} }, { status: 201 }), 'status 201'],
  ['a body without its envelope', seen([]), 'must be object'],
  ['a list without its meta', seen({ success: true, data: [] }), "required property 'meta'"],
  ['a field that no one declared', seen({ success: true, data: [], meta, cost: 1 }), 'additional properties'],
  ['a code that the operation does not declare', seen(failure('NOT_FOUND'), { status: 403 }), 'allowed values'],
  ['a failure that claims success', seen({ ...failure('RATE_LIMITED'), success: true }, { status: 429 }), 'success'],
  ['what is no JSON', seen('<html>'), 'no JSON'],
  ['another content type', seen({ success: true, data: [], meta }, { contentType: 'text/html' }), 'content type'],
  ['a picture where none is described', seen('', { body: undefined, contentType: 'image/png' }), 'content type'],
  ['an image type that is not declared', seen('', { ...image, contentType: 'image/gif' }), 'content type'],
  ['a success at an unknown address', seen({ success: true }, { url: '/public/v1/nothing' }), 'no such operation'],
  [
    'a moment that is not UTC with milliseconds',
    seen({ success: true, data: { hub_id: 'hub_1', started_at: '2026-11-20T10:30:00+01:00' } }, discovery()),
    'date-time',
  ],
])('%s is noticed', (_, answer, problem) => {
  expect(check(answer)).toContain(problem)
})

function discovery(): Partial<SeenAnswer> {
  return { method: 'POST', url: '/public/v1/hubs/hub_1/discover' }
}

test('a wrong answer is told with its request, once', () => {
  checkAnswer(check, seen({ success: true, data: [] }))
  expect(refuseWrongAnswers).toThrow(/GET \/public\/v1\/hubs\?limit=1 200: .*meta/)
  expect(refuseWrongAnswers).not.toThrow()
})

test('an application under test is held to what it describes', async () => {
  let isWrong = false
  const now = () => {
    if (isWrong) throw new AppError('ALREADY_EXISTS')
    return systemClock.now()
  }
  const t = await createTestApp({ context: { clock: { ...systemClock, now } } })
  const account = await t.account()
  isWrong = true
  expect((await account.request('GET', '/hubs')).statusCode).toBe(409)
  expect(refuseWrongAnswers).toThrow('the status 409 is not declared')
  isWrong = false
  await t.close()
})
