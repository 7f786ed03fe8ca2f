import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { describeAbsences, refuseAbsences } from './absent-peers.mjs'
import { ensureClientPeers } from './client-peers.mjs'
import { neededPrograms, planPrograms } from './debian-packages.mjs'
import { listProgramTests, restingFiles } from './long-files.mjs'
import { projectRoot } from './node24.mjs'
import { ensureNpmPeers } from './npm-peers.mjs'
import { peersToLeaveOut } from './peers-of-tests.mjs'
import { leftOutVariable, peersFolder, pendingVariable } from './pending-peers.mjs'
import { ensurePythonPeers } from './python-peers.mjs'
import { lastLines, runScript, runTool, StepFailure, step } from './steps.mjs'
import { afterSecondRun, filesToRunAgain, readAudit, summarise, summaryLine } from './test-summary.mjs'
import {
  ensureDashboard,
  ensureDependencies,
  ensureNode24,
  ensureProgram,
  environmentFor,
  locked,
  runNpm,
} from './toolchain.mjs'

const toolMs = 10 * 60_000
const auditMs = 30_000
const dayMs = 86_400_000

// Long walks ask the same of many pages, roles and faults. All of them on every run would be most of its time.
const args = process.argv.slice(2).filter((arg) => arg !== '--whole')
const isSample = process.argv.length === 2
if (isSample) process.env.PRINTYARD_SAMPLE_SEED ??= String(Math.floor(Date.now() / dayMs))

/** @type {string[]} */
const failedSteps = []
/** @type {import('./absent-peers.mjs').Absence[]} what tests need and cannot be had here */
let untested = []
/** @type {Parameters<typeof summarise>[0]} */
let vitest
const reportFolder = mkdtempSync(join(tmpdir(), 'printyard-test-'))

await runScript(async () => {
  try {
    const [nodePath, missing] = await Promise.all([prepareNode(), ensurePrograms()])
    // Registries make us wait, and few tests need what comes from them: all else goes on meanwhile.
    await Promise.all([installPeers(nodePath, missing), judgeAndTest(nodePath)])
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error
    process.stderr.write(`\n${error.message}\n`)
    failedSteps.push('preparing')
  } finally {
    rmSync(reportFolder, { recursive: true, force: true })
  }

  if (untested.length > 0) {
    process.stderr.write(`\nNOT TESTED, because these programs cannot be had here:\n${describeAbsences(untested)}\n`)
  }
  const summary = summarise(vitest, failedSteps)
  if (summary.failures.length > 0) process.stderr.write(`\nFailed: ${summary.failures.join(', ')}\n`)
  process.stdout.write(`\n${summaryLine(summary)}\n`)
  process.exitCode = summary.failed === 0 ? 0 : 1
})

/** @returns {Promise<string>} path of Node 24, with all dependencies in place */
async function prepareNode() {
  const nodePath = await ensureNode24()
  await ensureDependencies(nodePath)
  return nodePath
}

/** @param {string} nodePath */
async function judgeAndTest(nodePath) {
  await Promise.all([build(nodePath), judgeCode(nodePath)])
  await runVitest(nodePath)
}

/** @param {string} nodePath */
async function build(nodePath) {
  await attempt('dashboard', () => ensureDashboard(nodePath))
  await attempt('program', async () => void (await ensureProgram(nodePath)))
}

/**
 * Installs what the tests of this run drive and are driven by. Those that need any of it wait until all of it is there, or cannot be had.
 *
 * @param {string} nodePath
 * @param {import('./absent-peers.mjs').Absence[]} missing programs that could not be installed
 */
async function installPeers(nodePath, missing) {
  const pendingFile = join(reportFolder, 'peers-pending')
  writeFileSync(pendingFile, '')
  process.env[pendingVariable] = pendingFile
  const leftOut = peersToLeaveOut(args, isSample ? Number(process.env.PRINTYARD_SAMPLE_SEED) : undefined)
  process.env[leftOutVariable] = leftOut.join(' ')
  const isNeeded = (/** @type {string} */ name) => !leftOut.includes(name)
  try {
    await attempt('programs for the tests', async () => {
      const absences = [...missing]
      await locked(async (recordTool) => {
        const kinds = [ensureClientPeers, ensurePythonPeers, ensureNpmPeers.bind(undefined, nodePath)]
        const lists = await Promise.all(kinds.map((ensure) => tryTwice(() => ensure(isNeeded, recordTool))))
        absences.push(...lists.flat())
      }, peersFolder)
      untested = await refuseAbsences(nodePath, absences)
    })
  } finally {
    rmSync(pendingFile, { force: true })
  }
}

/**
 * A registry that stumbles once must not fail a run of a quarter of an hour: only what is absent is tried again.
 *
 * @param {() => Promise<import('./absent-peers.mjs').Absence[]>} ensure
 */
async function tryTwice(ensure) {
  const absent = await ensure()
  return absent.length === 0 ? absent : await ensure()
}

/** @param {string} nodePath */
async function judgeCode(nodePath) {
  /** @param {string} name @param {string} title @param {string} [project] */
  const judgeTypes = (name, title, project) =>
    attempt(name, () =>
      runCommand(nodePath, title, 'typescript-7/bin/tsc', ['--noEmit', ...(project ? ['-p', project] : [])]),
    )
  await Promise.all([
    judgeTypes('types', 'Checking types'),
    (async () => {
      if (existsSync(join(projectRoot, 'apps/web/tsconfig.json'))) {
        await judgeTypes('types of the dashboard', 'Checking types of the dashboard', 'apps/web')
        await judgeTypes('types of its worker', 'Checking types of its worker', 'apps/web/src/worker')
      }
      await judgeTypes('types of the scripts', 'Checking types of the scripts', 'scripts')
    })(),
    // It uses one core for as long as the types use the other.
    attempt('lint', () => runCommand(nodePath, 'Checking style with Biome', '.bin/biome', ['check', '.'])),
    // It does nothing but wait for a registry, where there is none for half a minute.
    attempt('audit', () => auditDependencies(nodePath)),
  ])
}

/**
 * @param {string} name
 * @param {() => Promise<void>} work
 */
async function attempt(name, work) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error
    process.stderr.write(`${error.message}\n\n`)
    failedSteps.push(name)
  }
}

/**
 * @param {string} nodePath
 * @param {string} title
 * @param {string} command installed, within node_modules
 * @param {string[]} args
 */
async function runCommand(nodePath, title, command, args) {
  await step(title, async () => {
    const path = join(projectRoot, 'node_modules', command)
    const options = { cwd: projectRoot, env: environmentFor(nodePath), timeoutMs: toolMs }
    const { exitCode, output } = await runTool(path, args, options)
    if (exitCode === 0) return
    // Unlike an installation's, each of these lines is something to fix.
    throw new StepFailure(lastLines(output, 200), { advice: `\`${[command, ...args].join(' ')}\` failed.` })
  })
}

/** @param {string} nodePath */
async function auditDependencies(nodePath) {
  await step('Asking the registry for known vulnerabilities', async () => {
    const args = ['audit', '--audit-level=high', '--json', '--fetch-retries=0']
    const result = await runNpm(nodePath, args, { cwd: projectRoot, timeoutMs: auditMs })
    const audit = readAudit(result.standardOutput)
    if (!audit.isAnswered) {
      const reason = result.isTimedOut ? `none within ${auditMs / 1000} s` : audit.reason
      process.stderr.write(`not checked, the registry gave no answer (${reason}), `)
    } else if (audit.high > 0) {
      throw new StepFailure(`npm audit knows ${audit.high} vulnerable packages of high or critical severity.`, {
        advice: 'Run `npm audit` for the list and raise the versions.',
      })
    }
  })
}

/**
 * Makes sure that the programs from Debian are installed.
 *
 * @returns {Promise<import('./absent-peers.mjs').Absence[]>} those that could not be
 */
async function ensurePrograms() {
  const isPresent = (/** @type {import('./debian-packages.mjs').NeededProgram} */ { command, probe }) =>
    (isOnPath(command) && (probe === undefined || spawnSync(command, probe).status === 0)) ||
    // The tests run the Chromium that is named here, wherever it is.
    (command.startsWith('chromium') && isFile(process.env.PRINTYARD_CHROMIUM))
  const machine = { isPresent, isRoot: process.getuid?.() === 0, hasAptGet: isOnPath('apt-get') }
  const { toInstall, missing } = planPrograms(neededPrograms, machine)
  if (toInstall.length === 0) {
    return missing.map(({ command: name, debianPackage, neededFor }) => {
      return {
        name,
        neededFor,
        problem: `to be installed as root: apt-get install ${debianPackage}`,
        isOutOfReach: true,
      }
    })
  }
  return step(`Installing ${toInstall.join(', ')} with apt-get`, async () => {
    const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeoutMs: toolMs }
    const update = await runTool('apt-get', ['update'], options)
    const args = ['install', '-y', '--no-install-recommends', ...toInstall]
    const { output } = await runTool('apt-get', args, options)
    return neededPrograms
      .filter((program) => !isPresent(program))
      .map(({ command: name, neededFor }) => ({ name, neededFor, problem: `${update.output}${output}` }))
  })
}

/** @param {string | undefined} path */
function isFile(path) {
  return path !== undefined && existsSync(path)
}

/** @param {string} command */
function isOnPath(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/**
 * Runs the tests. A few files that failed are run once more, alone: what passes then is told apart from what is broken,
 * loudly, so that one hiccup of a shared machine does not hide that everything else is well.
 *
 * @param {string} nodePath
 */
async function runVitest(nodePath) {
  if (isSample) {
    const seed = process.env.PRINTYARD_SAMPLE_SEED
    const files = listProgramTests()
    const resting = restingFiles(files, Number(seed))
    process.stderr.write(
      `Walks play a sample (PRINTYARD_SAMPLE_SEED=${seed}), and ${resting.length} of ${files.length} files with programs rest until ` +
        'tomorrow or the day after; npm test -- --whole plays all of them.\n',
    )
  }
  vitest = await callVitest(nodePath, 'report', args)
  const again = filesToRunAgain(vitest.report)
  if (vitest.report === undefined || again.length === 0) return
  process.stderr.write(`\nRunning again, alone: ${again.map((path) => relative(projectRoot, path)).join(', ')}\n`)
  const second = await callVitest(nodePath, 'second-report', [...again, '--maxWorkers=1', '--no-file-parallelism'])
  if (second.report === undefined) return
  const { report, unsteady } = afterSecondRun(vitest.report, second.report)
  vitest = { exitCode: second.exitCode, report }
  if (unsteady.length > 0) {
    process.stderr.write(`\nUNSTEADY: passed only when run again, to be fixed:\n  ${unsteady.join('\n  ')}\n`)
  }
}

/**
 * @param {string} nodePath
 * @param {string} name of the report's file
 * @param {string[]} args
 */
async function callVitest(nodePath, name, args) {
  const reportFile = join(reportFolder, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  const path = join(projectRoot, 'node_modules/.bin/vitest')
  const options = { cwd: projectRoot, env: environmentFor(nodePath), shown: true }
  // `vitest run` ends by itself; a limit here would only hide which test hangs.
  const { exitCode } = await runTool(path, ['run', ...args, ...reporters], options)
  const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : undefined
  return { exitCode, report }
}
