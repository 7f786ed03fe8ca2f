import { JoinError, joinHub as join } from '@printyard/hub/cli'
import { HubConfigError } from '@printyard/hub/config'
import type { Answer } from '../answer.ts'
import { CommandError } from '../command-error.ts'

export interface JoinHubOptions {
  dataDir?: string
  caFile?: string
  caFingerprint?: string
}

export async function joinHub(url: string, code: string, options: JoinHubOptions): Promise<Answer> {
  const { dataDir } = options
  try {
    const joined = await join({ url, code, ...options })
    return {
      document: joined,
      text: `This hub is now "${joined.name}" (${joined.hub_id}); its token is kept in ${joined.data_dir}. Start it with \`printyard hub run${dataDir === undefined ? '' : ` --data-dir ${dataDir}`}\`.`,
    }
  } catch (error) {
    if (error instanceof HubConfigError) throw new CommandError(error.message, 2, { cause: error })
    if (error instanceof JoinError) throw new CommandError(error.message, 1, { cause: error })
    throw error
  }
}
