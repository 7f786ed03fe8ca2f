import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What goes into an archive. Names have `/` between their parts and none at either end.
 *
 * @typedef {{ name: string, mode: number, content: Buffer | (() => Buffer) }} FileEntry
 * @typedef {{ name: string, mode: number, isFolder: true, uid?: number }} FolderEntry
 * @typedef {{ name: string, target: string }} LinkEntry
 * @typedef {FileEntry | FolderEntry | LinkEntry} TarEntry
 */

const blockSize = 512

/**
 * Everything below a folder, in the order of its names, with one of two modes, so that the archive of the same contents is
 * always the same.
 *
 * @param {string} folder
 * @param {(name: string) => boolean} [isLeftOut] asked with the name relative to the folder
 * @returns {TarEntry[]}
 */
export function entriesOf(folder, isLeftOut = () => false) {
  /** @param {string} below */
  const walk = (below) =>
    readdirSync(join(folder, below))
      .sort()
      .flatMap((/** @type {string} */ part) => {
        const name = below === '' ? part : `${below}/${part}`
        return isLeftOut(name) ? [] : entriesAt(name)
      })
  /**
   * @param {string} name
   * @returns {TarEntry[]}
   */
  function entriesAt(name) {
    const path = join(folder, name)
    const stats = lstatSync(path)
    if (stats.isSymbolicLink()) return [{ name, target: readlinkSync(path) }]
    if (stats.isDirectory()) return [{ name, mode: 0o755, isFolder: true }, ...walk(name)]
    return [{ name, mode: (stats.mode & 0o100) === 0 ? 0o644 : 0o755, content: () => readFileSync(path) }]
  }
  return walk('')
}

/**
 * The same entries below another folder, with that folder and those above it.
 *
 * @param {string} prefix
 * @param {TarEntry[]} entries
 * @returns {TarEntry[]}
 */
export function below(prefix, entries) {
  const parts = prefix.split('/')
  /** @type {TarEntry[]} */
  const folders = parts.map((_, index) => ({ name: parts.slice(0, index + 1).join('/'), mode: 0o755, isFolder: true }))
  return [...folders, ...entries.map((entry) => ({ ...entry, name: `${prefix}/${entry.name}` }))]
}

/**
 * An uncompressed tar archive, piece by piece. All is owned by root unless an entry says otherwise, and as old as `mtime`.
 *
 * @param {Iterable<TarEntry>} entries
 * @param {number} mtime in seconds since 1970
 * @param {{ root?: string }} [options] `root`: what stands before each name, such as `./`
 * @returns {Generator<Buffer>}
 */
export function* tarOf(entries, mtime, { root = '' } = {}) {
  const known = new Set()
  for (const entry of entries) {
    // Two lists may bring the same folder.
    if ('isFolder' in entry && known.has(entry.name)) continue
    if (known.has(entry.name)) throw new Error(`${entry.name} stands twice in an archive`)
    known.add(entry.name)
    const name = `${root}${entry.name}`
    if ('target' in entry) {
      yield* header({ name, type: '2', mode: 0o777, size: 0, mtime, target: entry.target, uid: 0 })
    } else if ('isFolder' in entry) {
      yield* header({ name: `${name}/`, type: '5', mode: entry.mode, size: 0, mtime, target: '', uid: entry.uid ?? 0 })
    } else {
      const content = typeof entry.content === 'function' ? entry.content() : entry.content
      yield* header({ name, type: '0', mode: entry.mode, size: content.length, mtime, target: '', uid: 0 })
      yield content
      yield padding(content.length)
    }
  }
  yield Buffer.alloc(2 * blockSize)
}

/**
 * One header in the form `ustar`; a name too long for it goes before, in the way of GNU, which dpkg reads as well.
 *
 * @param {{ name: string, type: string, mode: number, size: number, mtime: number, target: string, uid: number }} entry
 * @returns {Generator<Buffer>}
 */
function* header({ name, type, mode, size, mtime, target, uid }) {
  for (const { text, kind } of [
    { text: target, kind: 'K' },
    { text: name, kind: 'L' },
  ]) {
    if (Buffer.byteLength(text) <= 100) continue
    const content = Buffer.from(`${text}\0`)
    yield* header({
      name: '././@LongLink',
      type: kind,
      mode: 0o644,
      size: content.length,
      mtime: 0,
      target: '',
      uid: 0,
    })
    yield content
    yield padding(content.length)
  }
  const block = Buffer.alloc(blockSize)
  Buffer.from(name).copy(block, 0, 0, 100)
  block.write(octal(mode, 8), 100, 'latin1')
  block.write(octal(uid, 8), 108, 'latin1')
  block.write(octal(uid, 8), 116, 'latin1')
  block.write(octal(size, 12), 124, 'latin1')
  block.write(octal(mtime, 12), 136, 'latin1')
  // The sum counts its own place as spaces.
  block.fill(' ', 148, 156)
  block.write(type, 156, 'latin1')
  Buffer.from(target).copy(block, 157, 0, 100)
  block.write('ustar\x0000', 257, 'latin1')
  block.write('root', 265, 'latin1')
  block.write('root', 297, 'latin1')
  if (uid !== 0) block.fill(0, 265, 329)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  yield block
}

/**
 * @param {number} value
 * @param {number} length
 */
function octal(value, length) {
  const text = value.toString(8).padStart(length - 1, '0')
  if (text.length >= length) throw new Error(`${value} does not fit into a tar header`)
  return `${text}\0`
}

/** @param {number} length */
function padding(length) {
  return Buffer.alloc((blockSize - (length % blockSize)) % blockSize)
}
