import { expect } from 'vitest'
import { type CommandResult, runCli } from '../test/run-cli.ts'

/** What `printyard backup --json` answers. */
export interface Backup {
  path: string
  rows: number
  files: number
  taken_at: string
  missing_files: string[]
}

/** Runs a command that starts a database of its own and loads it, which takes long on a busy machine. */
export async function slowly(args: readonly string[]): Promise<CommandResult> {
  return await runCli(args, { timeLimitMs: 120_000 })
}

/** Makes a backup beside the service of a data directory, or without it. */
export async function backUp(dataDir: string, folder: string, ...more: string[]): Promise<Backup> {
  const answer = await slowly(['backup', '--to', folder, '--data-dir', dataDir, '--json', ...more])
  expect(answer.stderr).toBe('')
  return answer.document<Backup>()
}
