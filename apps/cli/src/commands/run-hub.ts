import { runHub as run } from '@printyard/hub/cli'
import { HubConfigError, readHubLogSettings } from '@printyard/hub/config'
import { DataDirHeldError } from '@printyard/hub/data-dir-lock'
import { JournalDamagedError } from '@printyard/hub/journal/journal'
import { createLineLog } from '@printyard/hub/util/log'
import type { Answer } from '../answer.ts'
import { CommandError } from '../command-error.ts'
import { openLogOutput } from '../log-file/log-file.ts'

export interface RunHubOptions {
  url?: string
  token?: string
  caFile?: string
  dataDir?: string
  virtual?: string
  speed?: string
}

/** Runs the hub until a signal asks it to stop. Its log goes to standard error, and to a file where the settings name one. */
export async function runHub(options: RunHubOptions): Promise<Answer> {
  try {
    const settings = readHubLogSettings(process.env)
    const output = openLogOutput({ ...settings, variable: 'PRINTYARD_HUB_LOG_FILE', messageField: 'message' })
    try {
      await run(options, { log: createLineLog(output.write) })
    } finally {
      await output.close()
    }
    return { document: { stopped: true }, text: 'The hub has stopped; prints that were under way go on.' }
  } catch (error) {
    if (error instanceof HubConfigError) throw new CommandError(error.message, 2, { cause: error })
    if (error instanceof DataDirHeldError || error instanceof JournalDamagedError) {
      throw new CommandError(error.message, 1, { cause: error })
    }
    throw error
  }
}
