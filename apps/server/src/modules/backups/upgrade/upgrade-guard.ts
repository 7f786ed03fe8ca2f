import { join } from 'node:path'
import { CopyConnection } from '../../../db/copy/copy-connection.ts'
import { DataDirectoryInUseError } from '../../../db/embedded/data-directory.ts'
import type { PendingUpgrade } from '../../../db/migrate.ts'
import type { DatabaseLog } from '../../../db/setup/database-log.ts'
import { DatabaseSetupError } from '../../../db/setup/database-setup-error.ts'
import { openStoredContents } from '../../../file-store/open-file-store.ts'
import type { Config } from '../../../kernel/config.ts'
import { listBackups, removeBackup } from '../archive/backup-folder.ts'
import { readManifest } from '../archive/manifest.ts'
import { takeSnapshot } from './take-snapshot.ts'
import { readUpgradeState, type UpgradeState, upgradesIn, writeUpgradeState } from './upgrade-state.ts'
import { countWrittenSince } from './written-since.ts'

/** A start that failed after the database was upgraded. The cause says what is wrong, `wayBack` what to do. */
export class UpgradeFailedError extends Error {
  readonly wayBack: string

  constructor(wayBack: string, cause: unknown) {
    super(`${cause instanceof Error ? cause.message : String(cause)} ${wayBack}`, { cause })
    this.name = 'UpgradeFailedError'
    this.wayBack = wayBack
  }
}

/** Takes a snapshot before a database that holds data is migrated, and knows the way back until the version has come up. */
export class UpgradeGuard {
  readonly #config: Config
  readonly #version: string
  readonly #log: DatabaseLog

  constructor(config: Config, version: string, log: DatabaseLog) {
    this.#config = config
    this.#version = version
    this.#log = log
  }

  /** @throws DatabaseSetupError `SNAPSHOT_FAILED` */
  readonly beforeUpgrade = async (upgrade: PendingUpgrade): Promise<void> => {
    const { upgradeSnapshots: kept, dataDir } = this.#config
    if (kept === 0) {
      this.#log.warn(
        { setting: 'PRINTYARD_UPGRADE_SNAPSHOTS', migrations: upgrade.files },
        'the database is migrated WITHOUT a snapshot: when it fails, only a backup brings the data back',
      )
      return
    }
    const state = await readUpgradeState(dataDir)
    const folder = upgradesIn(dataDir)
    try {
      if (await this.#canKeep(state, upgrade)) return
      const startedAt = performance.now()
      const { name, bytes, manifest } = await takeSnapshot(upgrade.target, {
        kind: 'snapshot',
        folder,
        files: openStoredContents(this.#config),
        version: state.served_version ?? 'unknown',
      })
      const pending = {
        snapshot: name,
        from: state.served_version,
        to: this.#version,
        started_at: manifest.taken_at,
      }
      await writeUpgradeState(dataDir, { ...state, pending })
      this.#log.info(
        { snapshot: join(folder, name), bytes, took_ms: Math.round(performance.now() - startedAt) },
        'Took a snapshot of the database before its upgrade',
      )
      await this.#removeOld(folder, state)
    } catch (error) {
      throw snapshotFailed(error)
    }
  }

  /**
   * True when the snapshot of an upgrade that was broken off still is the way back: a migration of it was applied, or nothing was written
   * since. A start that fails again and again must not push out the one snapshot that counts.
   */
  async #canKeep({ pending }: UpgradeState, upgrade: PendingUpgrade): Promise<boolean> {
    if (pending === null) return false
    const path = join(upgradesIn(this.#config.dataDir), pending.snapshot)
    const manifest = await readManifest(path, undefined).catch(() => undefined)
    if (manifest === undefined) return false
    if (upgrade.level > manifest.migrations.length) return true
    const connection = await CopyConnection.open(upgrade.target, 'printyard upgrade')
    try {
      return (await countWrittenSince(connection, afterSnapshot(manifest.taken_at))).length === 0
    } finally {
      await connection.close()
    }
  }

  /** Keeps the last ones. One that was taken for a start that changed nothing is replaced. */
  async #removeOld(folder: string, { pending }: UpgradeState): Promise<void> {
    for (const kind of ['snapshot', 'set-aside'] as const) {
      const old = (await listBackups(folder, kind)).slice(this.#config.upgradeSnapshots)
      for (const { name } of old) await removeBackup(folder, name)
    }
    const names = (await listBackups(folder, 'snapshot')).map(({ name }) => name)
    if (pending !== null && names.includes(pending.snapshot)) await removeBackup(folder, pending.snapshot)
  }

  /** Remembers that this version serves: what is pending is over. */
  async cameUp(): Promise<void> {
    const { dataDir } = this.#config
    const state = await readUpgradeState(dataDir)
    if (state.pending === null && state.served_version === this.#version) return
    if (state.pending !== null) {
      this.#log.info(
        { from: state.pending.from, to: this.#version, way_back: rollbackCommand(dataDir) },
        'The upgraded version serves; its snapshot stays',
      )
    }
    await writeUpgradeState(dataDir, { ...state, served_version: this.#version, pending: null })
  }

  /** The failure of a start, with the way back where an upgrade is pending. */
  async explain(error: unknown): Promise<unknown> {
    if (error instanceof DataDirectoryInUseError) return error
    const { pending } = await readUpgradeState(this.#config.dataDir)
    return pending === null ? error : new UpgradeFailedError(wayBack(this.#config.dataDir, pending), error)
  }
}

/** A moment after every row of a snapshot: its time is cut to milliseconds. */
export const afterSnapshot = (takenAt: string) => new Date(new Date(takenAt).getTime() + 1)

/** Answers what to do when an upgrade did not end well. */
export function wayBack(dataDir: string, { from, to }: NonNullable<UpgradeState['pending']>): string {
  const former = from === null ? 'the version that you used before' : `Printyard ${from}`
  return `The upgrade to Printyard ${to} has not come up. To go back to the data of before it, run \`${rollbackCommand(dataDir)}\`, then start ${former}.`
}

function rollbackCommand(dataDir: string): string {
  const plain = /^[\w./-]+$/.test(dataDir) ? dataDir : `'${dataDir.replaceAll("'", "'\\''")}'`
  return `npx printyard rollback --data-dir ${plain}`
}

function snapshotFailed(error: unknown): DatabaseSetupError {
  const reason = error instanceof Error ? error.message : String(error)
  return new DatabaseSetupError(
    'SNAPSHOT_FAILED',
    `The database was not upgraded, because no snapshot of it could be taken before: ${reason.replace(/\.$/, '')}. Nothing was changed. Free some space and start again; with PRINTYARD_UPGRADE_SNAPSHOTS=0 it is upgraded without a snapshot, and when that fails, only a backup brings the data back.`,
    { cause: error },
  )
}
