import { chownSync, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSetupError } from '../setup/database-setup-error.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'

/** The account PostgreSQL runs as when the service itself is root, which PostgreSQL refuses. */
export interface PostgresAccount {
  uid: number
  gid: number
}

/** The account `no one` of every Linux: owns nothing else, needs no entry anywhere. */
const defaultPostgresAccount: PostgresAccount = { uid: 65534, gid: 65534 }

/** Starts a PostgreSQL program so that it runs as the right account and reaches its files. */
export interface PostgresLauncher {
  account: PostgresAccount | undefined
  /** Said in the log when the launcher has to lend rights. */
  note: string | undefined
  command(executable: string, args: string[]): { file: string; args: string[]; account: PostgresAccount | undefined }
  /** Hands a path to the account; nothing to do unless root. */
  own(path: string): void
}

/**
 * As an ordinary user PostgreSQL simply runs as that user. As root it runs as `account`; when that account may not
 * pass through a directory above the data or the binaries (a clone below /root or in a 0700 temporary directory), it
 * is lent the one capability to search directories, by `setpriv`. The securebit `no_setuid_fixup` is needed because
 * PostgreSQL asks `access(2)`, which otherwise ignores capabilities of users other than root.
 *
 * @throws DatabaseSetupError `POSTGRES_NEEDS_UNPRIVILEGED_USER` with three remedies when that is not possible.
 */
export function preparePostgresLauncher(
  dataDir: string,
  binaries: PostgresBinaries,
  account: PostgresAccount = defaultPostgresAccount,
): PostgresLauncher {
  if (process.getuid?.() !== 0) {
    return {
      account: undefined,
      note: undefined,
      command: (file, args) => ({ file, args, account: undefined }),
      own: () => undefined,
    }
  }
  const own = (path: string) => chownSync(path, account.uid, account.gid)
  const closed = findClosedPath(
    [dataDir, dirname(binaries.postgres), join(binaries.directory, 'lib'), binaries.postgres].filter((path) =>
      existsSync(path),
    ),
    account,
  )
  if (closed === undefined) {
    return { account, note: undefined, command: (file, args) => ({ file, args, account }), own }
  }
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path))
  // Searching is enough for closed directories; a binary that is itself closed (umask 077) can only be overridden.
  const wanted = isOpenTo(binaries.postgres, account, 0o5)
    ? [searchCapability, overrideCapability]
    : [overrideCapability]
  const held = readEffectiveCapabilities()
  const capability = wanted.find(({ bit }) => (held >> BigInt(bit)) & 1n)
  if (setpriv === undefined || capability === undefined) throw unreachableError(closed, account)
  const privileges = [
    '--securebits=+no_setuid_fixup',
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    `--inh-caps=+${capability.name}`,
    `--ambient-caps=+${capability.name}`,
    '--',
  ]
  return {
    account,
    note: `${closed} is closed to user ${account.uid}, so PostgreSQL is lent the capability ${capability.name}`,
    command: (file, args) => ({ file: setpriv, args: [...privileges, file, ...args], account: undefined }),
    own,
  }
}

const overrideCapability = { name: 'dac_override', bit: 1 }
const searchCapability = { name: 'dac_read_search', bit: 2 }

/** The first directory on the way to one of the paths (or a path itself) that the account may not enter. */
export function findClosedPath(paths: string[], account: PostgresAccount): string | undefined {
  for (const path of paths) {
    for (let current = path; ; current = dirname(current)) {
      if (!isOpenTo(current, account, 0o1)) return current
      if (current === dirname(current)) break
    }
  }
  return undefined
}

function isOpenTo(path: string, account: PostgresAccount, rights: number): boolean {
  const { mode, uid, gid } = statSync(path)
  if (uid === account.uid) return ((mode >> 6) & rights) === rights
  if (gid === account.gid) return ((mode >> 3) & rights) === rights
  return (mode & rights) === rights
}

function readEffectiveCapabilities(): bigint {
  if (!existsSync('/proc/self/status')) return 0n
  const match = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))
  return match?.[1] === undefined ? 0n : BigInt(`0x${match[1]}`)
}

function unreachableError(path: string, account: PostgresAccount): DatabaseSetupError {
  return new DatabaseSetupError(
    'POSTGRES_NEEDS_UNPRIVILEGED_USER',
    `PostgreSQL does not run as root, and user ${account.uid}, who would run it, may not enter ${path}. ` +
      'Either start Printyard as an ordinary user, or move it and its data directory to where every user may enter ' +
      '(for example /opt/printyard and PRINTYARD_DATA_DIR=/var/lib/printyard), or set DATABASE_URL to use a PostgreSQL server of your own.',
  )
}
