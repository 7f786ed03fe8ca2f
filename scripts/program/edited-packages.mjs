/**
 * Places of packages that cost every start of the service time and do nothing for it, with what stands there in the program
 * (decision 0095). Files as they stand in the folder of installed packages, wherever that is.
 */
export const editedPlaces = [
  {
    // A prefix of a route that is shorter than this becomes a function of its own, made from text: nine hundred of them.
    file: 'node_modules/find-my-way/lib/node.js',
    place: 'const LONG_PREFIX_MIN_LENGTH = 16',
    edited: 'const LONG_PREFIX_MIN_LENGTH = 2',
  },
  {
    // For the option `wildcard: false` alone, which the dashboard does without.
    file: 'node_modules/@fastify/static/index.js',
    place: "const { glob } = require('glob')",
    edited: "const glob = (...given) => require('glob').glob(...given)",
  },
]

/**
 * @param {string} file relative to the project's root
 * @param {string} code
 * @returns {string | undefined} what the program has instead; undefined: the same
 * @throws {Error} when a package has not the place any more
 */
export function editPackage(file, code) {
  const places = editedPlaces.filter((place) => file.endsWith(place.file))
  if (places.length === 0) return undefined
  let changed = code
  for (const { place, edited } of places) {
    if (changed.split(place).length !== 2) {
      throw new Error(`${file} has not one place with \`${place}\`: see edited-packages.mjs`)
    }
    changed = changed.replace(place, () => edited)
  }
  return changed
}

/**
 * @param {Iterable<string>} files of installed packages that a program was made of
 * @throws {Error} when a package is among them whose file to be edited is not: it has another name now
 */
export function refuseUnedited(files) {
  const all = [...files]
  for (const { file } of editedPlaces) {
    const folder = /^node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(file)?.[0] ?? file
    if (all.some((each) => each.includes(folder)) && !all.some((each) => each.endsWith(file))) {
      throw new Error(`${file} is not there any more: see edited-packages.mjs`)
    }
  }
}
