import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundleProgram } from '../program/bundle-program.mjs'
import { lockForRelease } from './dependency-lock.mjs'

/**
 * What is released: everything, or what a machine beside the printers needs.
 *
 * @typedef {object} Edition
 * @property {string} name of its package
 * @property {string} description
 * @property {(file: string) => boolean} isLeftOut sources that are no part of it
 * @property {string[]} optionalOf folders of the workspace whose optional dependencies it has
 * @property {{ from: string, isLeftOut?: (name: string) => boolean }[]} assets files and folders that the program reads
 */

const hubCommands = ['discover-printers', 'join-hub', 'run-hub', 'simulate']
const authorities = { from: 'apps/hub/src/drivers/bambu/authorities.pem' }

/** @type {Edition} */
export const service = {
  name: 'printyard',
  description: 'Runs 3D-print farms: printers, queue, catalogue, stock, orders and the work of people',
  isLeftOut: () => false,
  optionalOf: ['apps/server'],
  assets: [
    authorities,
    { from: 'apps/server/migrations' },
    { from: 'apps/server/demo-files', isLeftOut: (name) => name === 'sources' || name.startsWith('sources/') },
    { from: 'apps/web/dist', isLeftOut: (name) => name === '.built-from' },
  ],
}

/** @type {Edition} */
export const hub = {
  name: 'printyard-hub',
  description: "Printyard's agent on the printers' network",
  isLeftOut: (file) => {
    const [, command] = /^apps\/cli\/src\/commands\/(.+)\.ts$/.exec(file) ?? []
    return command !== undefined && !hubCommands.includes(command)
  },
  optionalOf: [],
  assets: [authorities],
}

/**
 * Puts an edition together: the bundled program, assets, a manifest with exact dependencies, and their lockfile.
 *
 * @param {string} root of the project
 * @param {Edition} edition
 * @param {string} target an empty folder
 * @param {{ version: string, changelog: string }} release
 * @returns {Promise<{ lock: Record<string, unknown> }>} what its dependencies are locked to
 */
export async function assembleEdition(root, edition, target, { version, changelog }) {
  const { packages } = await bundleProgram(root, 'apps/cli/src/main.ts', target, { isLeftOut: edition.isLeftOut })
  for (const { from, isLeftOut } of edition.assets) {
    const source = join(root, from)
    mkdirSync(dirname(join(target, from)), { recursive: true })
    cpSync(source, join(target, from), {
      recursive: true,
      filter: (path) => isLeftOut === undefined || !isLeftOut(path.slice(source.length + 1)),
    })
  }
  mkdirSync(join(target, 'bin'))
  cpSync(join(root, 'scripts/release/launchers/printyard.mjs'), join(target, 'bin/printyard.mjs'))
  cpSync(join(root, 'scripts/follow-starter.mjs'), join(target, 'bin/follow-starter.mjs'))
  for (const name of ['LICENSE', 'README.md']) cpSync(join(root, name), join(target, name))
  writeFileSync(join(target, 'CHANGELOG.md'), changelog)

  const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { manifest, lock } = lockForRelease(
    lockfile,
    { imported: packages, optionalOf: edition.optionalOf },
    {
      name: edition.name,
      version,
      description: edition.description,
      license: 'MIT',
      author: 'The Printyard authors',
      type: 'module',
      engines: { node: '>=24.9' },
      bin: { printyard: 'bin/printyard.mjs' },
    },
  )
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  return { lock }
}
