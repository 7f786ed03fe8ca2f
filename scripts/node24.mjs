import { accessSync, constants, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the checkout that this script belongs to. */
export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)))

/** Where a fetched Node and the install lock live; ignored by git, safe to delete while nothing runs. */
export const nodeFolder = join(projectRoot, '.node')

const neededMajor = 24
const neededMinor = 9

/**
 * @param {string} version as `process.version` or `process.versions.node` give it
 * @returns {number} NaN for what is not a version
 */
export function majorOf(version) {
  return Number.parseInt(version.replace(/^v/, ''), 10)
}

/**
 * Whether a Node of this version runs the project's TypeScript as it stands, has argon2 in its crypto (24.7), and
 * lets a server say which requests may change their protocol (24.9).
 *
 * @param {string} version
 */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return major > neededMajor || (major === neededMajor && minor >= neededMinor)
}

/**
 * The npm package that carries Node for a platform: exactly those that scripts/node24/package.json pins.
 *
 * @param {{ optionalDependencies?: Record<string, string> }} manifest scripts/node24/package.json
 * @param {string} platform as `process.platform`
 * @param {string} arch as `process.arch`
 * @returns {{ name: string, version: string } | undefined} undefined where npm has no such package, as on macOS
 */
export function findNodePackage(manifest, platform, arch) {
  const name = `node-${platform}-${arch}`
  const version = manifest.optionalDependencies?.[name]
  return version === undefined ? undefined : { name, version }
}

/** The package that carries Node for this machine, or undefined. */
export function findNodePackageHere() {
  const manifest = JSON.parse(readFileSync(join(projectRoot, 'scripts/node24/package.json'), 'utf8'))
  return findNodePackage(manifest, process.platform, process.arch)
}

/** @param {{ name: string, version: string }} nodePackage */
export function fetchedNodeFolder(nodePackage) {
  return join(nodeFolder, `${nodePackage.name}-${nodePackage.version}`)
}

/**
 * The Node to run the project with, if one is at hand: the running one, else the fetched one. Fetches nothing.
 *
 * @returns {string | undefined} path of the executable
 */
export function findNode24() {
  if (isNewEnough(process.version)) return process.execPath
  const nodePackage = findNodePackageHere()
  if (nodePackage === undefined) return undefined
  const executable = join(fetchedNodeFolder(nodePackage), 'bin/node')
  return isExecutable(executable) ? executable : undefined
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
