import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * What `node_modules` was installed from. Native packages depend on the platform and on Node's major version.
 *
 * @param {string | Buffer} lockfile content of package-lock.json
 * @param {number} nodeMajor
 * @param {string} platform for example `linux-x64`
 */
export function dependenciesStamp(lockfile, nodeMajor, platform) {
  return `${createHash('sha256').update(lockfile).digest('hex')} node${nodeMajor} ${platform}`
}

/**
 * A stamp is the last thing written by a step, so a step that was killed midway leaves none.
 *
 * @param {string} path
 * @param {string} expected
 */
export function isStamped(path, expected) {
  try {
    return readFileSync(path, 'utf8').trim() === expected
  } catch {
    return false
  }
}

/**
 * @param {string} path
 * @param {string} stamp
 */
export function writeStamp(path, stamp) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${stamp}\n`)
}

/** @param {string} path */
export function removeStamp(path) {
  rmSync(path, { force: true })
}
