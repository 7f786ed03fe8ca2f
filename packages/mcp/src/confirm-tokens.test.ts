import { expect, test } from 'vitest'
import { ConfirmTokens } from './confirm-tokens.ts'

test('a token is good once, for the same arguments in any order', () => {
  const tokens = new ConfirmTokens('key')
  const token = tokens.issue('cancel_job', { job_id: 'job_1', only_queued: true })
  expect(tokens.redeem(token, 'cancel_job', { only_queued: true, job_id: 'job_1' })).toEqual({
    idempotencyKey: expect.stringMatching(/^mcp-[0-9a-f-]{36}$/),
  })
  expect(tokens.redeem(token, 'cancel_job', { job_id: 'job_1', only_queued: true })).toMatch('used already')
})

test('a token of another tool, of other arguments, of another key or process is refused, and is not used up', () => {
  const tokens = new ConfirmTokens('key')
  const token = tokens.issue('cancel_job', { job_id: 'job_1' })
  expect(tokens.redeem(token, 'pause_job', { job_id: 'job_1' })).toMatch('another tool')
  expect(tokens.redeem(token, 'cancel_job', { job_id: 'job_2' })).toMatch('another tool')
  expect(new ConfirmTokens('key').redeem(token, 'cancel_job', { job_id: 'job_1' })).toMatch('another tool')
  for (const broken of ['', 'x', `${token}x`, token.replace(/\.\d+\./, '.9999999999999.')]) {
    expect(tokens.redeem(broken, 'cancel_job', { job_id: 'job_1' })).toMatch('another tool')
  }
  expect(tokens.redeem(token, 'cancel_job', { job_id: 'job_1' })).toHaveProperty('idempotencyKey')
})

test('a token ends after two minutes', () => {
  let now = 1_000
  const tokens = new ConfirmTokens('key', () => now)
  const token = tokens.issue('pause_job', {})
  now += 119_999
  expect(tokens.redeem(token, 'pause_job', {})).toHaveProperty('idempotencyKey')
  const late = tokens.issue('pause_job', {})
  now += 120_000
  expect(tokens.redeem(late, 'pause_job', {})).toMatch('expired')
})
