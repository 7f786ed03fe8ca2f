import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/**
 * One hash over the names and contents of files. It does not depend on times, owners or the order on disk, so that a
 * fresh clone and a copy of it agree.
 *
 * @param {string} root names are taken relative to it
 * @param {string[]} paths files, and folders taken with everything in them
 * @param {(name: string) => boolean} isLeftOut called with the relative name, `/` between its parts, of files and folders
 * @returns {string} SHA-256 as hex
 */
export function hashContents(root, paths, isLeftOut = () => false) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap((path) => listFiles(root, join(root, path), isLeftOut))) {
    const content = readFileSync(join(root, file))
    // The length keeps "ab" + "c" apart from "a" + "bc".
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/**
 * @param {string} root
 * @param {string} path
 * @param {(name: string) => boolean} isLeftOut
 * @returns {string[]}
 */
function listFiles(root, path, isLeftOut) {
  const name = relative(root, path).split(sep).join('/')
  if (isLeftOut(name)) return []
  let entries
  try {
    entries = readdirSync(path).sort()
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOTDIR') return [name]
    throw error
  }
  return entries.flatMap((entry) => listFiles(root, join(path, entry), isLeftOut))
}
