import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import { projectRoot } from '../node24.mjs'
import { runScript, StepFailure, step } from '../steps.mjs'
import { ensureDashboard } from '../toolchain.mjs'
import { bundleEdition, fetchNodeFor } from './bundle.mjs'
import { writeDebianPackage } from './debian-package.mjs'
import { assembleEdition, hub, service } from './editions.mjs'
import { readChangelog } from './git-history.mjs'
import { baseEntries, writeImage } from './image.mjs'
import { sbomOf } from './sbom.mjs'
import { below, entriesOf, tarOf } from './tar.mjs'

// Node's own way of stripping types is what the sources are run by, experimental or not.
process.removeAllListeners('warning')

const kinds = ['npm', 'tarball', 'deb', 'image']
const architectures = ['x64', 'arm64']

await runScript(async () => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: kinds.join(',') },
      arch: { type: 'string', default: architectures.join(',') },
      output: { type: 'string', default: join(projectRoot, 'dist') },
    },
  })
  const wanted = listOf('--only', values.only, kinds)
  const chosen = /** @type {import('./bundle.mjs').Architecture[]} */ (listOf('--arch', values.arch, architectures))
  await release({ wanted, chosen, output: resolve(values.output) })
})

/**
 * @param {string} option
 * @param {string} text
 * @param {string[]} known
 */
function listOf(option, text, known) {
  const list = text.split(',')
  const unknown = list.filter((name) => !known.includes(name))
  if (unknown.length === 0) return list
  throw new StepFailure(`${option} does not know ${unknown.join(' and ')}.`, {
    advice: `It takes ${known.join(', ')}.`,
  })
}

/**
 * Builds the chosen forms of this version into a folder, from the same sources the same bytes.
 *
 * @param {{ wanted: string[], chosen: import('./bundle.mjs').Architecture[], output: string }} order
 */
async function release({ wanted, chosen, output }) {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  const mtime = timeOfSources()
  await ensureDashboard(process.execPath)
  mkdirSync(output, { recursive: true })
  for (const name of readdirSync(output)) {
    if (name.startsWith('printyard') || name === 'SHA256SUMS' || name === 'CHANGELOG.md') rmSync(join(output, name))
  }
  const work = mkdtempSync(join(tmpdir(), 'printyard-release-'))
  const clear = () => rmSync(work, { recursive: true, force: true })
  // A signal ends the process without coming back here.
  process.on('exit', clear)
  try {
    const changelog = readChangelog(version, mtime)
    writeFileSync(join(output, 'CHANGELOG.md'), changelog)
    const needsHub = wanted.includes('deb') || wanted.includes('image')
    const editions = []
    for (const edition of needsHub ? [service, hub] : [service]) {
      const folder = join(work, edition.name)
      const { lock } = await step(`Bundling ${edition.name}`, () =>
        assembleEdition(projectRoot, edition, folder, { version, changelog }),
      )
      await step(`Listing what ${edition.name} is made of`, async () => {
        const sbom = await sbomOf(folder, lock, { mtime, work: join(work, 'sbom', edition.name) })
        writeFileSync(join(output, `${edition.name}-${version}.cdx.json`), sbom)
        writeFileSync(join(folder, 'sbom.cdx.json'), sbom)
      })
      editions.push({ edition, folder, lock })
    }

    if (wanted.includes('npm')) {
      const [{ folder }] = /** @type {[typeof editions[0]]} */ (editions)
      const entries = below('package', entriesOf(folder))
      // npm unpacks files only, and makes folders as they are needed.
      const files = entries.filter((entry) => !('isFolder' in entry))
      await step('Packing for npm', () => writeGzip(join(output, `printyard-${version}.tgz`), tarOf(files, mtime)))
    }

    for (const architecture of wanted.some((kind) => kind !== 'npm') ? chosen : []) {
      const nodePath = await step(`Fetching Node for linux-${architecture}`, () =>
        fetchNodeFor(architecture, join(work, `node-${architecture}`)),
      )
      const base = wanted.includes('image')
        ? await step(`Fetching the base of the images for linux-${architecture}`, () =>
            baseEntries(architecture, join(work, `base-${architecture}`)),
          )
        : []
      for (const { edition, folder, lock } of editions) {
        const title = `${edition.name} for linux-${architecture}`
        const bundle = await step(`Installing the dependencies of ${title}`, () =>
          bundleEdition({
            folder,
            edition,
            lock,
            nodeFolder: nodePath,
            architecture,
            work: join(work, `${edition.name}-${architecture}`),
          }),
        )
        const context = { edition, version, architecture, mtime, output }
        if (wanted.includes('tarball') && edition === service) {
          const name = `printyard-${version}-linux-${architecture}`
          await step(`Packing ${title} as a tarball`, () =>
            writeGzip(join(output, `${name}.tar.gz`), tarOf(below(name, bundle), mtime)),
          )
        }
        if (wanted.includes('deb')) {
          await step(`Packing ${title} for Debian`, () => writeDebianPackage(bundle, context))
        }
        if (wanted.includes('image'))
          await step(`Packing ${title} as an image`, () => writeImage(base, bundle, context))
      }
    }
    await writeChecksums(output)
  } finally {
    clear()
  }
}

/** What files of the release are dated: the time of the last commit, or as the builder says. */
function timeOfSources() {
  const given = process.env.SOURCE_DATE_EPOCH
  if (given !== undefined && /^\d+$/.test(given)) return Number(given)
  if (!existsSync(join(projectRoot, '.git'))) {
    throw new StepFailure('The time of this version is not known.', {
      advice: 'Build from a git checkout, or set SOURCE_DATE_EPOCH to seconds since 1970.',
    })
  }
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: projectRoot, encoding: 'utf8' }))
}

/**
 * @param {string} path
 * @param {Iterable<Buffer>} chunks
 */
async function writeGzip(path, chunks) {
  await pipeline(Readable.from(chunks), createGzip(), createWriteStream(path))
}

/** @param {string} output */
async function writeChecksums(output) {
  const lines = []
  for (const name of readdirSync(output).sort()) {
    if (!name.startsWith('printyard')) continue
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(output, name)), hash)
    lines.push(`${hash.digest('hex')}  ${name}\n`)
    process.stderr.write(`  ${name}: ${(statSync(join(output, name)).size / 1e6).toFixed(1)} MB\n`)
  }
  writeFileSync(join(output, 'SHA256SUMS'), lines.join(''))
}
