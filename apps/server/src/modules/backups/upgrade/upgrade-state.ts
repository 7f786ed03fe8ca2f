import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'

/** What a data directory remembers of upgrades between starts. */
const UpgradeState = Type.Object({
  format: Type.Literal(1),
  /** The version that last came up here. */
  served_version: Type.Union([Type.String(), Type.Null()]),
  /** An upgrade of the database that was started, and whose version has not come up yet. */
  pending: Type.Union([
    Type.Object({
      snapshot: Type.String(),
      from: Type.Union([Type.String(), Type.Null()]),
      to: Type.String(),
      started_at: Type.String(),
    }),
    Type.Null(),
  ]),
})

export type UpgradeState = Static<typeof UpgradeState>

/** Answers where the snapshots of a data directory lie: apart from its backups, which others may remove. */
export const upgradesIn = (dataDir: string) => join(dataDir, 'upgrades')

/** Answers what is remembered. One that is damaged counts as none: it costs a second snapshot at most. */
export async function readUpgradeState(dataDir: string): Promise<UpgradeState> {
  const empty: UpgradeState = { format: 1, served_version: null, pending: null }
  try {
    const value: unknown = JSON.parse(await readFile(join(upgradesIn(dataDir), 'state.json'), 'utf8'))
    return Value.Check(UpgradeState, value) ? value : empty
  } catch {
    return empty
  }
}

export async function writeUpgradeState(dataDir: string, state: UpgradeState): Promise<void> {
  const folder = upgradesIn(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'state.json')
  const draft = `${path}.${process.pid}.tmp`
  try {
    const file = await open(draft, 'w', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(state)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}
