import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { slowly } from '../backups/slow-commands.ts'
import { makeFarmFolder } from '../test/farm-processes.ts'

/** Backups of small farms as former versions made them, with the key beside them. */
const kept = join(import.meta.dirname, 'data')

/** What a former version left. */
interface FormerInstallation {
  /** The number of its last migration. */
  level: number
  /** To be copied, not started. */
  dataDir: string
}

/**
 * A restored data directory of each former version, for the tests of this file; a hook fills the list before the first of them.
 *
 * @param choose which of the kept backups; all when left out
 */
export function restoreFormerInstallations(
  choose: (kept: string[]) => string[] = (kept) => kept,
): readonly FormerInstallation[] {
  const installations: FormerInstallation[] = []
  const removals: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    for (const file of choose((await readdir(kept)).sort())) {
      const level = Number(/^migrations-(\d{4})\.tar\.gz$/.exec(file)?.[1])
      const { path: folder, remove } = await makeFarmFolder()
      removals.push(remove)
      installations.push({ level, dataDir: await restore(join(kept, file), folder) })
    }
  }, 180_000)
  afterAll(() => Promise.all(removals.map((remove) => remove())))
  return installations
}

async function restore(archive: string, folder: string): Promise<string> {
  const backups = join(folder, 'backups')
  mkdirSync(backups)
  execFileSync('tar', ['-xzf', archive, '-C', backups, '--no-same-owner'])
  const [name = ''] = (await readdir(backups)).filter((each) => each.startsWith('backup-'))
  const dataDir = join(folder, 'data')
  const key = join(backups, 'secret.key')
  const { exitCode, stderr } = await slowly([
    'restore',
    join(backups, name),
    '--data-dir',
    dataDir,
    '--secret-key-file',
    key,
  ])
  expect([exitCode, stderr]).toEqual([0, ''])
  return dataDir
}

/** With the owners of its files, of whom PostgreSQL is another than the one who runs the test. */
export function copyInstallation(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to])
}
