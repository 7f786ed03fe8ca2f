import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { projectRoot } from './node24.mjs'

/** Where programs of others are installed for tests, each in a folder of its own. */
export const peersFolder = join(projectRoot, '.peers')

/**
 * Written once a program is whole: what it was installed from.
 *
 * @param {string} name
 */
export const peerStampFile = (name) => join(peersFolder, name, '.installed-from')

/** Names the file that is there for as long as `npm test` installs some of them. */
export const pendingVariable = 'PRINTYARD_PEERS_PENDING'

/** Names those that `npm test` has left out, because no test that plays asks for them. */
export const leftOutVariable = 'PRINTYARD_PEERS_LEFT_OUT'

const pollMs = 200

/** Longer than all installations may take, each tried twice. Who began them may have been killed. */
const longestMs = 30 * 60_000

/** How a test asks whether such a program is there. Those of Debian are, before any test begins. */
const question = /\bis(?:PeerThere|(?!Redis|Pooler)\w*Installed)\b/

/**
 * Whether a test file needs programs that `npm test` installs while others play.
 *
 * @param {string} file path
 */
export const needsPeers = (file) => question.test(readFileSync(file, 'utf8'))

/**
 * Whether a program of others is there, and whole.
 *
 * @param {string} name
 * @throws {Error} when `npm test` has left it out: its test would be skipped, and look as if it had passed
 */
export function isPeerThere(name) {
  if (existsSync(peerStampFile(name))) return true
  if (process.env[leftOutVariable]?.split(' ').includes(name))
    throw new Error(
      `${name} is not installed: scripts/peers-of-tests.mjs does not name this file as one that asks for it`,
    )
  return false
}

/** Waits until nothing is installed any more: each program is there then, or cannot be had. @throws {Error} when that does not end */
export async function peersInstalled(patienceMs = longestMs) {
  const pendingFile = process.env[pendingVariable]
  for (const deadline = performance.now() + patienceMs; pendingFile !== undefined && existsSync(pendingFile); ) {
    if (performance.now() > deadline)
      throw new Error(`programs for the tests are still being installed: ${pendingFile}`)
    await pause(pollMs)
  }
}
