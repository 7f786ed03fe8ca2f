/**
 * Places of packages that cost every start of the service time and do nothing for it, with what stands there in the program
 * (decision 0095). Files are relative to the project's root.
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
  const places = editedPlaces.filter((place) => place.file === file)
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
