import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { compiledFolder } from './compiled-folder.mjs'
import { hashContents } from './content-hash.mjs'
import { LockTimeout, withInstallLock } from './install-lock.mjs'
import { fetchedNodeFolder, findNode24, findNodePackageHere, majorOf, nodeFolder, projectRoot } from './node24.mjs'
import { findNpmCli } from './npm-location.mjs'
import { programFolder } from './program/program-folder.mjs'
import { dependenciesStamp, isStamped, removeStamp, writeStamp } from './stamps.mjs'
import { runTool, StepFailure, step } from './steps.mjs'

const lockWaitMs = 15 * 60_000
const installMs = 10 * 60_000
const buildMs = 5 * 60_000

/**
 * Makes sure that a Node 24 or newer is at hand: the running one, else one fetched once from npm into `.node/`.
 *
 * @returns {Promise<string>} path of its executable
 * @throws {StepFailure}
 */
export async function ensureNode24() {
  const present = findNode24()
  if (present !== undefined) return present
  const nodePackage = findNodePackageHere()
  if (nodePackage === undefined) {
    throw new StepFailure(`Printyard needs Node 24; this is Node ${process.versions.node}.`, {
      advice: `npm has no Node 24 for ${process.platform}-${process.arch}: install it from https://nodejs.org and try again.`,
    })
  }
  await locked(async (recordTool) => {
    if (findNode24() !== undefined) return
    await step(`Fetching Node ${nodePackage.version}`, () => fetchNode(nodePackage, recordTool))
  })
  const fetched = findNode24()
  if (fetched === undefined) throw new Error(`no executable in ${fetchedNodeFolder(nodePackage)}`)
  return fetched
}

/**
 * Makes sure that `node_modules` is what package-lock.json says.
 *
 * @param {string} nodePath of Node 24; npm picks versions by the Node that runs it
 * @throws {StepFailure}
 */
export async function ensureDependencies(nodePath) {
  const stampFile = join(projectRoot, 'node_modules/.printyard-dependencies')
  const nodeMajor = majorOf(nodePath === process.execPath ? process.version : (findNodePackageHere()?.version ?? ''))
  const currentStamp = () =>
    dependenciesStamp(
      readFileSync(join(projectRoot, 'package-lock.json')),
      nodeMajor,
      `${process.platform}-${process.arch}`,
    )
  if (isStamped(stampFile, currentStamp())) return
  await locked(async (recordTool) => {
    const stamp = currentStamp()
    if (isStamped(stampFile, stamp)) return
    await step('Installing dependencies', async () => {
      removeStamp(stampFile)
      removeModules()
      // Tests and the build of the dashboard need all kinds, whatever NODE_ENV or the user's settings leave out.
      const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund']
      const result = await runNpm(nodePath, args, { cwd: projectRoot, timeoutMs: installMs, onStart: recordTool })
      if (result.exitCode !== 0) {
        throw new StepFailure(`npm ci failed${result.isTimedOut ? ': it took too long' : ''}.`, {
          output: withoutUsage(result.output),
          advice:
            'Check that the npm registry can be reached and the disk is not full, then run the same command again.',
        })
      }
    })
    writeStamp(stampFile, stamp)
  })
}

/** Everything of which the program is bundled. */
const bundledFrom = ['apps/cli', 'apps/hub', 'apps/server', 'packages', 'scripts/program', 'package-lock.json']

/**
 * Makes sure that the program is bundled from the sources as they are.
 *
 * @param {string} nodePath of Node 24
 * @returns {Promise<string>} the file to be started
 * @throws {StepFailure}
 */
export async function ensureProgram(nodePath) {
  const main = join(projectRoot, programFolder, 'main.js')
  const stampFile = join(projectRoot, programFolder, '.bundled-from')
  const isLeftOut = (/** @type {string} */ name) =>
    /(^|\/)(dist|node_modules|test|migrations|fixtures|.*\.test\.ts)$/.test(name)
  const currentStamp = () => hashContents(projectRoot, bundledFrom, isLeftOut)
  if (isStamped(stampFile, currentStamp())) return main
  await locked(async (recordTool) => {
    const stamp = currentStamp()
    if (isStamped(stampFile, stamp)) return
    await step('Bundling the program', async () => {
      const args = [join(projectRoot, 'scripts/program/main.mjs')]
      const options = { cwd: projectRoot, env: environmentFor(nodePath), timeoutMs: buildMs, onStart: recordTool }
      const result = await runTool(nodePath, args, options)
      if (result.exitCode !== 0) {
        throw new StepFailure('The program was not bundled.', {
          output: result.output,
          advice: 'Correct what it names and run the same command again.',
        })
      }
      writeStamp(stampFile, stamp)
    })
  })
  return main
}

/** Everything of which the dashboard and the documentation beside it are built. */
const builtFrom = [
  'apps/web',
  'apps/server/openapi.json',
  'packages/sdk/generator',
  'packages/sdk/README.md',
  'docs',
  'README.md',
  'CONTRIBUTING.md',
  'package-lock.json',
]

/**
 * Makes sure that `apps/web/dist` is built from the sources as they are: the dashboard, and in `docs/` the documentation.
 *
 * @param {string} nodePath of Node 24
 * @throws {StepFailure}
 */
export async function ensureDashboard(nodePath) {
  const webFolder = join(projectRoot, 'apps/web')
  if (!existsSync(join(webFolder, 'vite.config.ts'))) {
    process.stderr.write('Building the dashboard … skipped: apps/web has no vite.config.ts\n')
    return
  }
  const distFolder = join(webFolder, 'dist')
  const stampFile = join(distFolder, '.built-from')
  const currentStamp = () =>
    hashContents(projectRoot, builtFrom, (name) => /^apps\/web\/(dist|node_modules|.*\.tsbuildinfo)$/.test(name))
  if (isStamped(stampFile, currentStamp())) return
  await locked(async (recordTool) => {
    const stamp = currentStamp()
    if (isStamped(stampFile, stamp)) return
    await step('Building the dashboard', async () => {
      const fresh = join(nodeFolder, `tmp-dashboard-${randomUUID()}`)
      const vite = createRequire(join(webFolder, 'package.json')).resolve('vite/package.json')
      const args = [join(dirname(vite), 'bin/vite.js'), 'build', '--outDir', fresh, '--emptyOutDir']
      const env = environmentFor(nodePath)
      const result = await runTool(nodePath, args, { cwd: webFolder, env, timeoutMs: buildMs, onStart: recordTool })
      if (result.exitCode !== 0) {
        throw new StepFailure('vite build failed for apps/web.', {
          output: result.output,
          advice: 'Fix what it names in apps/web and run the same command again.',
        })
      }
      await buildDocumentation(nodePath, join(fresh, 'docs'), recordTool)
      writeStamp(join(fresh, '.built-from'), stamp)
      const old = join(nodeFolder, `tmp-old-dashboard-${randomUUID()}`)
      if (existsSync(distFolder)) renameSync(distFolder, old)
      renameSync(fresh, distFolder)
      rmSync(old, { recursive: true, force: true })
    })
  })
}

/**
 * Builds the pages of the documentation. The reference of the API is made of the description that this version prints of itself.
 *
 * @param {string} nodePath
 * @param {string} output
 * @param {(pid: number) => void} onStart
 */
async function buildDocumentation(nodePath, output, onStart) {
  const description = join(nodeFolder, `tmp-description-${randomUUID()}.json`)
  const programs = [
    [join(projectRoot, 'apps/cli/src/main.ts'), 'openapi', '--output', description],
    [join(projectRoot, 'apps/web/docs-site/build-docs.ts'), '--description', description, '--output', output],
  ]
  try {
    for (const args of programs) {
      const options = { cwd: projectRoot, env: environmentFor(nodePath), timeoutMs: buildMs, onStart }
      const result = await runTool(nodePath, args, options)
      if (result.exitCode !== 0) {
        throw new StepFailure('The documentation was not built.', {
          output: result.output,
          advice: 'Correct what it names and run the same command again.',
        })
      }
    }
  } finally {
    rmSync(description, { force: true })
  }
}

/**
 * The environment for the project's tools: Node 24 and the installed commands come first on PATH.
 *
 * @param {string} nodePath
 * @returns {NodeJS.ProcessEnv}
 */
export function environmentFor(nodePath) {
  const commands = join(projectRoot, 'node_modules/.bin')
  const env = { ...process.env }
  env.PATH = [commands, dirname(nodePath), env.PATH ?? ''].join(delimiter)
  // npm sets these for its scripts to the Node it runs on, which may be the older one.
  delete env.NODE
  delete env.npm_node_execpath
  // Threads and processes of tools and tests load what the first of them compiled.
  env.NODE_COMPILE_CACHE ??= compiledFolder
  return env
}

/**
 * Runs npm with a Node of our choice.
 *
 * @param {string} nodePath
 * @param {string[]} args
 * @param {{ cwd: string, timeoutMs: number, onStart?: (pid: number) => void }} options
 */
export function runNpm(nodePath, args, options) {
  const npmCli = findNpmCli(process.env, process.execPath)
  if (npmCli === undefined) {
    throw new StepFailure('npm was not found.', { advice: 'Install npm, or put it on PATH, and try again.' })
  }
  const env = environmentFor(nodePath)
  // The folder of the npm that called us; npm would take it for its own.
  delete env.npm_config_local_prefix
  return runTool(nodePath, [npmCli, ...args], { ...options, env })
}

/**
 * Empties every node_modules. In a project with workspaces `npm ci` leaves the root's as it is, and takes a package that a
 * kill left half unpacked for a whole one.
 */
function removeModules() {
  const { workspaces } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  const folders = workspaces.flatMap((/** @type {string} */ pattern) => {
    if (!pattern.endsWith('/*')) return [pattern]
    const parent = pattern.slice(0, -2)
    return readdirSync(join(projectRoot, parent)).map((name) => join(parent, name))
  })
  for (const folder of ['.', ...folders]) {
    const modules = join(projectRoot, folder, 'node_modules')
    // Its entries one by one, because the folder itself may be a volume.
    for (const name of existsSync(modules) ? readdirSync(modules) : []) {
      rmSync(join(modules, name), { recursive: true, force: true })
    }
  }
}

/**
 * npm ends some errors with a page on how to call it, which would push the error itself out of sight.
 *
 * @param {string} output
 */
export function withoutUsage(output) {
  return output.replace(/^npm (error|ERR!) Usage:[\s\S]*/m, '')
}

/**
 * Installs into a folder beside and renames it when it has proved to work, so that a kill leaves nothing half done.
 *
 * @param {{ name: string, version: string }} nodePackage
 * @param {(pid: number) => void} recordTool
 */
async function fetchNode(nodePackage, recordTool) {
  const folder = join(nodeFolder, `tmp-node-${randomUUID()}`)
  mkdirSync(folder)
  for (const name of ['package.json', 'package-lock.json']) {
    copyFileSync(join(projectRoot, 'scripts/node24', name), join(folder, name))
  }
  copyFileSync(join(projectRoot, '.npmrc'), join(folder, '.npmrc'))
  const args = ['ci', '--ignore-scripts', '--include=optional', '--no-audit', '--no-fund']
  const result = await runNpm(process.execPath, args, { cwd: folder, timeoutMs: installMs, onStart: recordTool })
  const packageFolder = join(folder, 'node_modules', nodePackage.name)
  // npm is content when an optional package could not be fetched, so only the running executable proves it.
  const check = await runTool(join(packageFolder, 'bin/node'), ['-v'], { timeoutMs: 30_000 })
  if (result.exitCode !== 0 || check.output.trim() !== `v${nodePackage.version}`) {
    throw new StepFailure(`Node ${nodePackage.version} could not be fetched from npm, or does not run here.`, {
      output: `${result.output}${check.output}`,
      advice: 'Check that the npm registry can be reached, or install Node 24 from https://nodejs.org, and try again.',
    })
  }
  for (const name of readdirSync(packageFolder)) {
    // Headers, manuals and change log are a third of the package.
    if (!['bin', 'LICENSE', 'package.json'].includes(name)) rmSync(join(packageFolder, name), { recursive: true })
  }
  const target = fetchedNodeFolder(nodePackage)
  rmSync(target, { recursive: true, force: true })
  renameSync(packageFolder, target)
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Runs `work` while no other process installs into the same folder.
 *
 * @param {(recordTool: (pid: number) => void) => Promise<void>} work
 * @param {string} [folder] of the lock, and of what a start that is killed leaves behind
 */
export async function locked(work, folder = nodeFolder) {
  const onWait = (/** @type {number} */ pid) =>
    void process.stderr.write(`Waiting for process ${pid}, which is installing here\n`)
  const lock = join(folder, 'lock')
  try {
    await withInstallLock(lock, { timeoutMs: lockWaitMs, onWait }, async (recordTool) => {
      clearLeftovers(folder)
      await work(recordTool)
    })
  } catch (error) {
    if (error instanceof LockTimeout) {
      throw new StepFailure(`Another start has been installing here for too long: ${error.message}.`, {
        advice: `End that process, or remove ${lock} when it is none of Printyard's, and try again.`,
      })
    }
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code !== 'EACCES' && code !== 'EROFS' && code !== 'EPERM' && code !== 'ENOSPC') throw error
    throw new StepFailure(`The checkout cannot be written to: ${message}`, {
      advice: `Run this as the owner of ${projectRoot}, or install there first as its owner.`,
    })
  }
}

/**
 * What lies here under the lock was left by a start that was killed.
 *
 * @param {string} folder
 */
function clearLeftovers(folder) {
  for (const name of readdirSync(folder)) {
    if (name.startsWith('tmp-')) rmSync(join(folder, name), { recursive: true, force: true })
  }
}
