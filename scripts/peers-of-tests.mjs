import { isAbsolute, normalize, relative } from 'node:path'
import { listProgramTests, restingFiles } from './long-files.mjs'
import { projectRoot } from './node24.mjs'

const drivers = 'apps/hub/src/drivers'
const server = 'apps/server/src'

/**
 * The files with tests that use each program of others, from the root of the project. A program whose tests all rest is not installed by that run.
 *
 * @type {Record<string, readonly string[]>}
 */
export const testsOfPeers = {
  octoprint: [
    `${drivers}/octoprint/octoprint.real-peer.system.test.ts`,
    `${drivers}/octoprint/octorest.real-client.system.test.ts`,
    'e2e/farm/octoprint.real-peer.system.test.ts',
  ],
  moonraker: [
    `${drivers}/moonraker/moonraker.real-peer.system.test.ts`,
    `${drivers}/moonraker/moonraker-api.real-client.system.test.ts`,
    'e2e/farm/moonraker.real-peer.system.test.ts',
  ],
  'moonraker-api': [`${drivers}/moonraker/moonraker-api.real-client.system.test.ts`],
  octorest: [`${drivers}/octoprint/octorest.real-client.system.test.ts`],
  pyprusalink: [`${drivers}/prusalink/pyprusalink.real-client.system.test.ts`],
  pycentauri: [`${drivers}/elegoo/pycentauri.real-client.system.test.ts`],
  bambulabs_api: [`${drivers}/bambu/bambulabs.real-client.system.test.ts`],
  'fdm-monster': [`${drivers}/fdm-monster.real-client.system.test.ts`, 'e2e/program/leave-and-arrive.system.test.ts'],
  spoolman: [`${server}/modules/materials/spoolman/spoolman.real-client.system.test.ts`],
  standardwebhooks: ['e2e/program/webhook-receivers.system.test.ts'],
  'printyard-sdk': ['e2e/clients/python-sdk.clients.test.ts'],
  'client-go': ['e2e/clients/made.clients.test.ts'],
  'client-java': ['e2e/clients/made.clients.test.ts'],
  'openapi-python-client': ['e2e/clients/made.clients.test.ts'],
  'openapi-typescript': ['e2e/clients/made.clients.test.ts'],
  moto: [
    'apps/cli/src/doctor/stores.system.test.ts',
    `${server}/file-store/file-store.conformance.system.test.ts`,
    `${server}/file-store/s3-faults.system.test.ts`,
    `${server}/modules/backups/backups.routes.system.test.ts`,
    `${server}/modules/backups/store/backup-store.system.test.ts`,
    `${server}/modules/files/orphan-sweep.system.test.ts`,
    `${server}/modules/files/signed-downloads.system.test.ts`,
    'e2e/farm/s3-files.system.test.ts',
  ],
  s3rver: [
    `${server}/file-store/file-store.conformance.system.test.ts`,
    `${server}/modules/files/orphan-sweep.system.test.ts`,
    `${server}/modules/files/signed-downloads.system.test.ts`,
    'e2e/cluster/cluster-storm.system.test.ts',
  ],
}

/**
 * The programs that a run leaves out: no test that it plays asks for them.
 *
 * @param {readonly string[]} args of vitest
 * @param {number} [day] when files rest on it
 */
export function peersToLeaveOut(args, day) {
  // Which files options choose, only vitest knows.
  if (args.some((arg) => arg.startsWith('-'))) return []
  const files = listProgramTests()
  const resting = new Set(day === undefined ? [] : restingFiles(files, day))
  const playing = new Set(files.filter((file) => !resting.has(file) && isChosen(file, args)))
  return Object.keys(testsOfPeers).filter((name) => !testsOfPeers[name]?.some((file) => playing.has(file)))
}

/**
 * Whether vitest plays a file when it is called with these arguments, each of which is a part of a path.
 *
 * @param {string} file from the root of the project
 * @param {readonly string[]} args
 */
function isChosen(file, args) {
  const parts = args.map((arg) => normalize(isAbsolute(arg) ? relative(projectRoot, arg) : arg).replace(/:\d+$/, ''))
  return parts.length === 0 || parts.some((part) => file.toLowerCase().includes(part.toLowerCase()))
}
