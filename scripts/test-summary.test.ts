import { expect, test } from 'vitest'
import { readAudit, summarise, summaryLine } from './test-summary.mjs'

const file = (...statuses: string[]) => ({
  status: statuses.includes('failed') ? 'failed' : 'passed',
  assertionResults: statuses.map((status) => ({ status })),
})
const unloadableFile = { status: 'failed', assertionResults: [] }

const lineOf = (vitest: Parameters<typeof summarise>[0], failedSteps: string[] = []) =>
  summaryLine(summarise(vitest, failedSteps))

test('a run in which everything passes says so and mentions no skipped tests', () => {
  const report = { testResults: [file('passed', 'passed'), file('passed')] }
  expect(lineOf({ exitCode: 0, report })).toBe('3 passed, 0 failed')
})

test('skipped tests and those still to be written are counted apart', () => {
  const report = { testResults: [file('passed', 'skipped', 'pending', 'todo')] }
  expect(lineOf({ exitCode: 0, report })).toBe('1 passed, 0 failed, 3 skipped')
})

test('a failed step counts as failed beside the failed tests', () => {
  const report = { testResults: [file('passed', 'failed')] }
  expect(lineOf({ exitCode: 1, report }, ['types', 'lint'])).toBe('1 passed, 3 failed')
})

test('a file that could not be loaded counts as one failure, and a file with failed tests as its tests', () => {
  const report = { testResults: [file('passed'), unloadableFile, file('failed', 'failed')] }
  expect(lineOf({ exitCode: 1, report })).toBe('1 passed, 3 failed')
})

test('vitest failing although every test passed is a failure', () => {
  const summary = summarise({ exitCode: 1, report: { testResults: [file('passed')] } }, [])
  expect(summary).toMatchObject({ passed: 1, failed: 1, failures: ['vitest ended with exit code 1'] })
})

test('a run without a test is a failure even when vitest is content', () => {
  expect(lineOf({ exitCode: 0, report: { testResults: [] } })).toBe('0 passed, 1 failed')
  expect(lineOf({ exitCode: 0, report: { testResults: [file('skipped')] } })).toBe('0 passed, 1 failed, 1 skipped')
})

test('a vitest that was killed before it reported is a failure', () => {
  expect(summarise({ exitCode: 137, report: undefined }, []).failures).toEqual(['vitest left no report'])
})

test('when preparing failed that is the one failure told', () => {
  expect(lineOf(undefined, ['preparing'])).toBe('0 passed, 1 failed')
  expect(lineOf(undefined)).toBe('0 passed, 1 failed')
})

test('high and critical findings of an audit are counted, lower ones are not', () => {
  const vulnerabilities = { info: 0, low: 4, moderate: 3, high: 2, critical: 1, total: 10 }
  expect(readAudit(JSON.stringify({ metadata: { vulnerabilities } }))).toEqual({ isAnswered: true, high: 3 })
})

test('a registry that does not audit, is not there, or answers nonsense found nothing either way', () => {
  const refused = JSON.stringify({ message: '405 Method Not Allowed', error: { summary: '', detail: '' } })
  expect(readAudit(refused)).toEqual({ isAnswered: false, reason: '405 Method Not Allowed' })
  const unreachable = JSON.stringify({ error: { code: 'ENOTFOUND', summary: 'request failed' } })
  expect(readAudit(unreachable)).toEqual({ isAnswered: false, reason: 'request failed' })
  for (const output of ['', 'null', '<html>', '{"metadata":{}}']) {
    expect(readAudit(output)).toEqual({ isAnswered: false, reason: 'no readable answer' })
  }
})
