import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { projectRoot } from './node24.mjs'

/** Where programs of others are installed for tests, each in a folder of its own. */
export const peersFolder = join(projectRoot, '.peers')

/** Names the file that is there for as long as `npm test` installs some of them. */
export const pendingVariable = 'PRINTYARD_PEERS_PENDING'

const pollMs = 200

/** How a test asks whether such a program is there. Those of Debian are, before any test begins. */
const question = /\bis(?!Redis|Pooler)\w*Installed\b/

/**
 * Whether a test file needs programs that `npm test` installs while others play.
 *
 * @param {string} file path
 */
export const needsPeers = (file) => question.test(readFileSync(file, 'utf8'))

/** Waits until nothing is installed any more: each program is there then, or cannot be had. */
export async function peersInstalled() {
  const pendingFile = process.env[pendingVariable]
  while (pendingFile !== undefined && existsSync(pendingFile)) await pause(pollMs)
}
