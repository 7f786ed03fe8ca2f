import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './node24.mjs'
import { peerStampFile, peersFolder } from './pending-peers.mjs'
import { dependenciesStamp, isStamped, removeStamp, writeStamp } from './stamps.mjs'
import { step } from './steps.mjs'
import { runNpm, withoutUsage } from './toolchain.mjs'

const installMs = 6 * 60_000

/**
 * A program from npm that tests let drive our simulators. It stands in `npm-peers/NAME` with a lockfile of its own, and is no
 * dependency of anything that is built or shipped.
 *
 * @typedef {{ name: string, neededFor: string }} NpmPeer
 */

/** @type {NpmPeer[]} */
export const npmPeers = [
  { name: 'openapi-typescript', neededFor: 'a client in TypeScript made of the API description' },
  { name: 'fdm-monster', neededFor: 'a foreign farm manager against the simulators of OctoPrint and PrusaLink' },
  { name: 's3rver', neededFor: 'the file store against another S3 store, which checks signatures' },
]

/**
 * Makes sure that each peer that is needed is installed in `.peers/NAME`, without running scripts of its packages.
 *
 * @param {string} nodePath of Node 24
 * @param {(name: string) => boolean} isNeeded
 * @param {(pid: number) => void} recordTool of the lock, which the caller holds
 * @returns {Promise<import('./absent-peers.mjs').Absence[]>} those that could not be
 */
export async function ensureNpmPeers(nodePath, isNeeded, recordTool) {
  const absent = npmPeers.filter(({ name }) => isNeeded(name) && !isStamped(peerStampFile(name), peerStamp(name)))
  /** @type {import('./absent-peers.mjs').Absence[]} */
  const absences = []
  for (const { name, neededFor } of absent) {
    const problem = await step(`Installing ${name} from npm for the tests`, () =>
      installPeer(nodePath, name, recordTool),
    )
    if (problem !== undefined) absences.push({ name, neededFor, problem })
  }
  return absences
}

/**
 * @param {string} nodePath
 * @param {string} name
 * @param {(pid: number) => void} recordTool
 * @returns {Promise<string | undefined>} what went wrong
 */
async function installPeer(nodePath, name, recordTool) {
  const folder = join(peersFolder, name)
  removeStamp(peerStampFile(name))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(sourceOf(name), file), join(folder, file))
  copyFileSync(join(projectRoot, '.npmrc'), join(folder, '.npmrc'))
  const args = ['ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund']
  const result = await runNpm(nodePath, args, { cwd: folder, timeoutMs: installMs, onStart: recordTool })
  if (result.exitCode !== 0) {
    const output = withoutUsage(result.output)
    return result.isTimedOut ? `${output}\nnone within ${installMs / 60_000} minutes` : output
  }
  writeStamp(peerStampFile(name), peerStamp(name))
}

/** @param {string} name */
function sourceOf(name) {
  return join(projectRoot, 'scripts/npm-peers', name)
}

/** @param {string} name */
function peerStamp(name) {
  const lockfile = join(sourceOf(name), 'package-lock.json')
  return dependenciesStamp(
    existsSync(lockfile) ? readFileSync(lockfile) : '',
    24,
    `${process.platform}-${process.arch}`,
  )
}
