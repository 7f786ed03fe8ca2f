import { runHub as run } from '@printyard/hub/cli'
import { HubConfigError } from '@printyard/hub/config'
import { DataDirHeldError } from '@printyard/hub/data-dir-lock'
import { JournalDamagedError } from '@printyard/hub/journal/journal'
import type { Answer } from '../answer.ts'
import { CommandError } from '../command-error.ts'

export interface RunHubOptions {
  url?: string
  token?: string
  caFile?: string
  dataDir?: string
  virtual?: string
  speed?: string
}

/** Runs the hub until a signal asks it to stop. Its log goes to standard error. */
export async function runHub(options: RunHubOptions): Promise<Answer> {
  try {
    await run(options)
    return { document: { stopped: true }, text: 'The hub has stopped; prints that were under way go on.' }
  } catch (error) {
    if (error instanceof HubConfigError) throw new CommandError(error.message, 2, { cause: error })
    if (error instanceof DataDirHeldError || error instanceof JournalDamagedError) {
      throw new CommandError(error.message, 1, { cause: error })
    }
    throw error
  }
}
