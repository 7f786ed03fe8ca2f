/**
 * The part of vitest's JSON report that is read here.
 *
 * @typedef {{ name: string, status: string, assertionResults: { status: string, fullName: string }[] }} FileReport
 * @typedef {{ testResults: FileReport[] }} VitestReport
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} TestSummary
 */

/** More failing files than this, one in a hundred, are no accident of a busy machine: they are not looked at again. */
const mostFilesAgain = 6

/**
 * Whether a file has to be run again: some test of it failed, or was never ended, as when its process died under it.
 *
 * @param {FileReport} file
 */
function isUnsure({ status, assertionResults }) {
  return status === 'failed' || assertionResults.some((test) => test.status === 'pending')
}

/**
 * The files whose tests failed or never ended, when they are few enough to be run once more, alone.
 *
 * @param {VitestReport | undefined} report
 * @returns {string[]} paths
 */
export function filesToRunAgain(report) {
  const failed = (report?.testResults ?? []).filter(isUnsure).map(({ name }) => name)
  return failed.length <= mostFilesAgain ? failed : []
}

/**
 * The report with the files that were run again in their second standing, and which tests passed only then: each of
 * these is a defect to be fixed, of the test or of what it tests.
 *
 * @param {VitestReport} first
 * @param {VitestReport} second
 * @returns {{ report: VitestReport, unsteady: string[] }}
 */
export function afterSecondRun(first, second) {
  const again = new Map(second.testResults.map((file) => [file.name, file]))
  const unsteady = first.testResults.flatMap((file) => {
    const failedBefore = file.assertionResults.filter(({ status }) => status === 'failed')
    const passedNow = new Set(
      again.get(file.name)?.assertionResults.flatMap((test) => (test.status === 'passed' ? [test.fullName] : [])),
    )
    return failedBefore.filter(({ fullName }) => passedNow.has(fullName)).map(({ fullName }) => fullName)
  })
  return { report: { testResults: first.testResults.map((file) => again.get(file.name) ?? file) }, unsteady }
}

/**
 * Counts what passed and what failed. Everything that makes the run fail counts as at least one failure: a test, a file
 * that could not be loaded, a step beside the tests, vitest itself, and a run without any test.
 *
 * @param {{ exitCode: number, report: VitestReport | undefined } | undefined} vitest undefined when it was not started, which
 *   some failed step explains; `report` is undefined when it left none
 * @param {string[]} failedSteps names of the steps beside vitest that failed
 * @returns {TestSummary} `failures` names what failed beside single tests
 */
export function summarise(vitest, failedSteps) {
  const files = vitest?.report?.testResults ?? []
  const tests = files.flatMap((file) => file.assertionResults)
  const passed = tests.filter((test) => test.status === 'passed').length
  const failedTests = tests.filter((test) => test.status === 'failed').length
  const brokenFiles = files.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length

  const failures = [...failedSteps, ...Array(brokenFiles).fill('a test file that could not run')]
  if (vitest === undefined) {
    if (failures.length === 0) failures.push('no test ran')
  } else if (vitest.report === undefined) {
    failures.push('vitest left no report')
  } else if (failedTests + brokenFiles === 0) {
    if (passed === 0) failures.push('no test ran')
    else if (vitest.exitCode !== 0) failures.push(`vitest ended with exit code ${vitest.exitCode}`)
  }
  return { passed, failed: failedTests + failures.length, skipped: tests.length - passed - failedTests, failures }
}

/** @param {TestSummary} summary */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/**
 * What `npm audit --json` found.
 *
 * @param {string} output
 * @returns {{ isAnswered: false, reason: string } | { isAnswered: true, high: number }} not answered: the registry could
 *   not be reached or does not offer audits; `high` counts high and critical ones
 */
export function readAudit(output) {
  let document
  try {
    document = JSON.parse(output)
  } catch {
    return { isAnswered: false, reason: 'no readable answer' }
  }
  const counts = document?.metadata?.vulnerabilities
  if (typeof counts?.high !== 'number' || typeof counts?.critical !== 'number') {
    return { isAnswered: false, reason: String(document?.message ?? document?.error?.summary ?? 'no readable answer') }
  }
  return { isAnswered: true, high: counts.high + counts.critical }
}
