import { expect, test } from 'vitest'
import { afterSecondRun, filesToRunAgain, readAudit, summarise, summaryLine } from './test-summary.mjs'

const file = (...statuses: string[]) => named('a.test.ts', ...statuses)
const named = (name: string, ...statuses: string[]) => ({
  name,
  status: statuses.includes('failed') ? 'failed' : 'passed',
  assertionResults: statuses.map((status, index) => ({ status, fullName: `${name} ${index + 1}` })),
})
const unloadableFile = { name: 'b.test.ts', status: 'failed', assertionResults: [] }

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

test('a few failing files are run again, many are not', () => {
  const few = [named('a', 'failed'), named('b', 'passed'), unloadableFile]
  expect(filesToRunAgain({ testResults: few })).toEqual(['a', 'b.test.ts'])
  const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => named(name, 'failed'))
  expect(filesToRunAgain({ testResults: many })).toEqual([])
  expect(filesToRunAgain(undefined)).toEqual([])
})

test('a file whose process died under it is run again, too', () => {
  expect(filesToRunAgain({ testResults: [named('a', 'passed', 'pending'), named('b', 'passed', 'skipped')] })).toEqual([
    'a',
  ])
})

test('what passes when run again is told, and what fails again stays failed', () => {
  const first = { testResults: [named('a', 'passed', 'failed', 'failed'), named('b', 'passed')] }
  const second = { testResults: [named('a', 'passed', 'passed', 'failed')] }
  const { report, unsteady } = afterSecondRun(first, second)
  expect(unsteady).toEqual(['a 2'])
  expect(lineOf({ exitCode: 1, report })).toBe('3 passed, 1 failed')
})

test('a test that vanishes in the second run has not passed', () => {
  const first = { testResults: [named('a', 'failed')] }
  const { report, unsteady } = afterSecondRun(first, { testResults: [{ ...unloadableFile, name: 'a' }] })
  expect(unsteady).toEqual([])
  expect(lineOf({ exitCode: 1, report })).toBe('0 passed, 1 failed')
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
