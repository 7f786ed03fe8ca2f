import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { projectRoot } from '../node24.mjs'
import { below, tarOf } from './tar.mjs'

/**
 * @typedef {object} PackageContext
 * @property {import('./editions.mjs').Edition} edition
 * @property {string} version
 * @property {import('./bundle.mjs').Architecture} architecture
 * @property {number} mtime
 * @property {string} output
 */

/** As Debian, and images, name them. */
export const debianNames = { x64: 'amd64', arm64: 'arm64' }

/**
 * Writes a package for Debian, Raspberry Pi OS and Ubuntu: the bundle in /usr/lib, a command, a unit of systemd and a file of settings.
 *
 * @param {import('./tar.mjs').TarEntry[]} bundle
 * @param {PackageContext} context
 * @returns {string} its path
 */
export function writeDebianPackage(bundle, { edition, version, architecture, mtime, output }) {
  const { name } = edition
  /** @param {string} file */
  const ours = (file) => readFileSync(join(projectRoot, 'scripts/release/debian', file))
  /** @param {string} file */
  const filled = (file) =>
    Buffer.from(
      ours(file)
        .toString()
        .replaceAll('@NAME@', name)
        .replaceAll('@DATA_SETTING@', name === 'printyard' ? 'PRINTYARD_DATA_DIR' : 'PRINTYARD_HUB_DATA_DIR'),
    )
  const data = [
    ...below('etc', below(name, [{ name: `${name}.env`, mode: 0o640, content: ours(`${name}.env`) }])),
    ...below(`usr/lib/${name}`, bundle),
    ...below('usr/bin', [{ name, mode: 0o755, content: filled('command.sh') }]),
    ...below('usr/lib/systemd/system', [{ name: `${name}.service`, mode: 0o644, content: ours(`${name}.service`) }]),
    ...below(`usr/share/doc/${name}`, [
      { name: 'copyright', mode: 0o644, content: readFileSync(join(projectRoot, 'LICENSE')) },
    ]),
  ]
  const size = data.reduce(
    (total, entry) => total + ('content' in entry ? Math.ceil(contentOf(entry).length / 1024) : 1),
    0,
  )
  const control = `Package: ${name}
Version: ${version}
Architecture: ${debianNames[architecture]}
Maintainer: The Printyard authors <printyard@localhost>
Installed-Size: ${size}
Depends: libc6 (>= 2.28), libstdc++6, passwd
Recommends: systemd
Section: misc
Priority: optional
Description: ${edition.description}
 It brings the Node and the libraries it runs with${name === 'printyard' ? ', and a PostgreSQL of its own' : ''}.
`
  const members = [
    { name: 'debian-binary', content: Buffer.from('2.0\n') },
    {
      name: 'control.tar.gz',
      content: compressed(
        [
          { name: 'conffiles', mode: 0o644, content: Buffer.from(`/etc/${name}/${name}.env\n`) },
          { name: 'control', mode: 0o644, content: Buffer.from(control) },
          { name: 'postinst', mode: 0o755, content: filled(`${name}.postinst`) },
          { name: 'postrm', mode: 0o755, content: filled('postrm') },
          { name: 'prerm', mode: 0o755, content: filled('prerm') },
        ],
        mtime,
      ),
    },
    { name: 'data.tar.gz', content: compressed(data, mtime) },
  ]
  const path = join(output, `${name}_${version}_${debianNames[architecture]}.deb`)
  writeFileSync(path, Buffer.concat([...arOf(members, mtime)]))
  return path
}

/** @param {import('./tar.mjs').FileEntry} entry */
function contentOf({ content }) {
  return typeof content === 'function' ? content() : content
}

/**
 * @param {import('./tar.mjs').TarEntry[]} entries
 * @param {number} mtime
 */
function compressed(entries, mtime) {
  return gzipSync(Buffer.concat([...tarOf(entries, mtime, { root: './' })]))
}

/**
 * An archive of `ar`, in the common form that a Debian package is.
 *
 * @param {{ name: string, content: Buffer }[]} members with names of at most 16 characters
 * @param {number} mtime
 * @returns {Generator<Buffer>}
 */
export function* arOf(members, mtime) {
  yield Buffer.from('!<arch>\n')
  for (const { name, content } of members) {
    const fields = [
      name.padEnd(16),
      `${mtime}`.padEnd(12),
      '0     ',
      '0     ',
      '100644  ',
      `${content.length}`.padEnd(10),
    ]
    yield Buffer.from(`${fields.join('')}\`\n`)
    yield content
    if (content.length % 2 === 1) yield Buffer.from('\n')
  }
}
