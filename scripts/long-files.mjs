import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './node24.mjs'

/** Whole programs, real peers, kills and simulated days: each plays for up to minutes, however short the file. */
const long =
  /^e2e\/|\.real-|conformance|day-of-telemetry|embedded-postgres|route-walk|hub\/src\/kill\.|killed|known-and-unknown|s3-faults|two-clocks|\/(abuse|backups|download|sync)\//

/** Walks through the whole product, each of which grows with every feature: programs, browsers, peers, and storms of kills. */
const walks = new RegExp(
  [
    '^e2e/(?:backups|browser|clients|cluster|farm|farm-day|program|release|shop-month|upgrades)/',
    String.raw`\.real-|day-of-telemetry`,
    '^apps/server/src/(?:modules/backups/|.*/killed|.*/two-clocks|abuse/(?:generated-requests|printer-secrets))',
  ].join('|'),
)

/** Of those, what no day goes by without: a farm's first day, its orders and prints, and all that ends in a double start where it is wrong. */
const daily =
  /^e2e\/(?:browser\/(?:first-run|sign-in|order-to-parcel)|cluster\/cluster-storm|farm\/(?:first-print|resume-matrix|two-services))\./

/** As many days in turn play every file. */
const turns = 3

/** @param {string} file from the root of the project */
export const isLong = (file) => long.test(file)

/**
 * The files of walks that do not play on a day. Which of the three days is a file's own does not change with the files around it.
 *
 * @param {readonly string[]} files from the root of the project
 * @param {number} day
 */
export function restingFiles(files, day) {
  return files.filter((file) => walks.test(file) && !daily.test(file) && (turnOf(file) + day) % turns !== 0)
}

/** All files with tests of programs, from the root of the project. */
export function listProgramTests() {
  return ['apps', 'e2e', 'packages'].flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:system|clients)\.test\.ts$/.test(path) && !path.includes('node_modules/'))
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .sort(),
  )
}

/** @param {string} file */
function turnOf(file) {
  return [...file].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0)
}
