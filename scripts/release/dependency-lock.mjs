/**
 * @typedef {{ name?: string, version: string, dev?: boolean, devOptional?: boolean, optional?: boolean,
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string>, peerDependenciesMeta?: Record<string, { optional?: boolean }> }} LockedPackage
 * @typedef {{ lockfileVersion: number, packages: Record<string, LockedPackage> }} Lockfile
 */

/**
 * The part of a lockfile that a program needs in production, as the lockfile of one package: a release installs exactly the
 * versions that were tested.
 *
 * The manifest names what its dependencies need as well, because npm reads no lockfile in an archive that it installs. Only a second
 * version of the same package cannot be named: npm chooses it by the range of the package that needs it.
 *
 * @param {Lockfile} lock of the workspace
 * @param {{ imported: Map<string, string>, optionalOf: string[] }} needed packages that are imported, each with a file of the
 *   workspace that does; folders of the workspace whose optional dependencies are needed too
 * @param {{ name: string, version: string } & Record<string, unknown>} manifest of the package it becomes
 * @returns {{ manifest: Record<string, unknown>, lock: Record<string, unknown> }} the manifest with its dependencies, and the lockfile
 * @throws {Error} when a file imports what its package does not declare
 */
export function lockForRelease(lock, { imported, optionalOf }, manifest) {
  /** @type {Record<string, string>} */
  const dependencies = {}
  for (const [name, file] of imported) {
    const folder = file.split('/').slice(0, 2).join('/')
    const version = lock.packages[folder]?.dependencies?.[name]
    if (version === undefined) throw new Error(`${file} imports ${name}, which ${folder} does not declare`)
    if (lock.packages[`node_modules/${name}`] === undefined)
      throw new Error(`${name} is not at the top of the lockfile`)
    dependencies[name] = version
  }
  const optionalDependencies = Object.assign(
    {},
    ...optionalOf.map((folder) => lock.packages[folder]?.optionalDependencies),
  )

  /** @type {Record<string, LockedPackage>} */
  const packages = {}
  const queue = [...Object.keys(dependencies), ...Object.keys(optionalDependencies)].map(
    (name) => `node_modules/${name}`,
  )
  for (const path of queue) {
    const entry = lock.packages[path]
    if (packages[path] !== undefined || entry === undefined) continue
    const { dev: _, devOptional, ...rest } = entry
    packages[path] = devOptional === true ? { ...rest, optional: true } : rest
    const needed = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies }
    for (const name of Object.keys(needed)) {
      const found = resolve(lock, path, name)
      if (found !== undefined) queue.push(found)
      else if (isRequired(entry, name)) throw new Error(`${path} needs ${name}, which is not in the lockfile`)
    }
  }
  for (const [path, { version, optional }] of Object.entries(packages)) {
    const name = path.slice('node_modules/'.length)
    if (optional !== true && !name.includes('node_modules/')) dependencies[name] = version
  }
  const whole = { ...manifest, dependencies: sorted(dependencies), optionalDependencies: sorted(optionalDependencies) }
  return {
    manifest: whole,
    lock: {
      name: manifest.name,
      version: manifest.version,
      lockfileVersion: lock.lockfileVersion,
      requires: true,
      packages: { '': whole, ...sorted(packages) },
    },
  }
}

/**
 * @param {LockedPackage} entry
 * @param {string} name
 */
function isRequired(entry, name) {
  if (entry.dependencies?.[name] !== undefined) return true
  return entry.peerDependencies?.[name] !== undefined && entry.peerDependenciesMeta?.[name]?.optional !== true
}

/**
 * Where a package finds another: below itself, or below one of the folders above it.
 *
 * @param {Lockfile} lock
 * @param {string} from
 * @param {string} name
 * @returns {string | undefined}
 */
function resolve(lock, from, name) {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1))) {
    const path = place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`
    if (lock.packages[path] !== undefined) return path
    if (place === '') return undefined
  }
}

/**
 * @template T
 * @param {Record<string, T>} record
 * @returns {Record<string, T>}
 */
function sorted(record) {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}
