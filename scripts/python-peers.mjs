import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './node24.mjs'
import { peerStampFile, peersFolder } from './pending-peers.mjs'
import { dependenciesStamp, isStamped, removeStamp, writeStamp } from './stamps.mjs'
import { runTool, step } from './steps.mjs'

const installMs = 6 * 60_000
const questionMs = 30_000

/** The environment of the pip that fills the others. */
const installerName = 'pip'

/**
 * A program from PyPI that tests run our drivers against. Its versions stand in `python-peers/NAME.txt`.
 *
 * @typedef {{ name: string, neededFor: string }} PythonPeer
 * @typedef {(command: string, args: string[]) => ReturnType<typeof runTool>} Run
 */

/** @type {PythonPeer[]} */
export const pythonPeers = [
  { name: 'octoprint', neededFor: 'the OctoPrint driver against OctoPrint' },
  { name: 'moonraker', neededFor: 'the Moonraker driver against Moonraker' },
  { name: 'moonraker-api', neededFor: 'a foreign client against the Moonraker simulator' },
  { name: 'octorest', neededFor: 'a foreign client against the OctoPrint simulator' },
  { name: 'pyprusalink', neededFor: 'a foreign client against the PrusaLink simulator' },
  { name: 'pycentauri', neededFor: 'a foreign client against the Elegoo simulators' },
  { name: 'openapi-python-client', neededFor: 'a client in Python made of the API description' },
  { name: 'printyard-sdk', neededFor: 'making and testing the Python SDK' },
  { name: 'spoolman', neededFor: 'a foreign client against the Spoolman simulator' },
  { name: 'standardwebhooks', neededFor: 'a receiver of webhooks in Python' },
  { name: 'moto', neededFor: 'the file store against an S3 store' },
  { name: 'bambulabs_api', neededFor: 'a foreign client against the Bambu simulator' },
]

/**
 * Makes sure that each peer that is needed is installed in a Python environment of its own, `.peers/NAME`.
 *
 * @param {(name: string) => boolean} isNeeded
 * @param {(pid: number) => void} recordTool of the lock, which the caller holds
 * @returns {Promise<import('./absent-peers.mjs').Absence[]>} those that could not be
 */
export async function ensurePythonPeers(isNeeded, recordTool) {
  const needed = pythonPeers.filter(({ name }) => isNeeded(name))
  const python = await runTool('python3', ['-c', 'import sys, venv, ensurepip; print(sys.version)'], {
    timeoutMs: questionMs,
  })
  if (python.exitCode !== 0) {
    // It is one of the programs that are looked for before, and has been judged there.
    const problem = 'python3 with its module venv is missing (apt-get install python3 python3-venv)'
    return needed.map((peer) => ({ ...peer, problem, isOutOfReach: true }))
  }
  const version = python.standardOutput.trim()
  const absent = needed.filter(({ name }) => !isStamped(peerStampFile(name), peerStamp(name, version)))
  /** @type {import('./absent-peers.mjs').Absence[]} */
  const absences = []
  if (absent.length === 0) return absences
  await step(`Installing ${absent.map(({ name }) => name).join(' and ')} from PyPI for the tests`, async () => {
    /** @type {Run} */
    const run = (command, args) =>
      runTool(command, args, { cwd: projectRoot, timeoutMs: installMs, onStart: recordTool })
    const installer = await ensureInstaller(version, run)
    const install = async (/** @type {PythonPeer} */ peer) => {
      const problem =
        'problem' in installer ? installer.problem : await installPeer(peer.name, version, installer.pip, run)
      if (problem !== undefined) absences.push({ ...peer, problem })
    }
    await Promise.all(absent.map(install))
  })
  return absences
}

/**
 * The one pip that fills all environments: giving each its own takes as much work as half of what is installed there.
 *
 * @param {string} version of Python
 * @param {Run} run
 * @returns {Promise<{ pip: string } | { problem: string }>} `pip`: what any Python runs
 */
async function ensureInstaller(version, run) {
  const folder = folderOf(installerName)
  if (!isStamped(peerStampFile(installerName), peerStamp(installerName, version))) {
    rmSync(folder, { recursive: true, force: true })
    const made = await run('python3', ['-m', 'venv', folder])
    if (made.exitCode !== 0) return { problem: explain(made) }
    writeStamp(peerStampFile(installerName), peerStamp(installerName, version))
  }
  const asked = await run(join(folder, 'bin/python'), ['-c', 'import pip; print(pip.__path__[0])'])
  return asked.exitCode === 0 ? { pip: asked.standardOutput.trim() } : { problem: explain(asked) }
}

/**
 * @param {string} name
 * @param {string} version of Python
 * @param {string} pip
 * @param {Run} run
 * @returns {Promise<string | undefined>} what went wrong
 */
async function installPeer(name, version, pip, run) {
  const folder = folderOf(name)
  removeStamp(peerStampFile(name))
  rmSync(folder, { recursive: true, force: true })
  const made = await run('python3', ['-m', 'venv', '--without-pip', folder])
  if (made.exitCode !== 0) return explain(made)
  // Python compiles what a test comes to use, which is a small part.
  const options = ['--no-input', '--disable-pip-version-check', '--no-compile']
  const installed = await run(join(folder, 'bin/python'), [pip, 'install', ...options, '-r', requirementsFile(name)])
  if (installed.exitCode !== 0) return explain(installed)
  writeStamp(peerStampFile(name), peerStamp(name, version))
}

/** @param {Awaited<ReturnType<Run>>} result */
function explain({ output, isTimedOut }) {
  return isTimedOut ? `${output}\nnone within ${installMs / 60_000} minutes` : output
}

/** @param {string} name */
function folderOf(name) {
  return join(peersFolder, name)
}

/** @param {string} name */
function requirementsFile(name) {
  return join(projectRoot, 'scripts/python-peers', `${name}.txt`)
}

/**
 * What an environment was made of. It holds its own path, so one that was moved is made again.
 *
 * @param {string} name
 * @param {string} version of Python
 */
export function peerStamp(name, version) {
  const requirements = existsSync(requirementsFile(name)) ? readFileSync(requirementsFile(name)) : ''
  return dependenciesStamp(requirements, 0, `python ${version.replaceAll(/\s+/g, ' ')} ${projectRoot}`)
}
