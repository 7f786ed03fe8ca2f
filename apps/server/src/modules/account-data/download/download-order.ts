import type { Config } from '../../../kernel/config.ts'
import type { AccountId } from '../../../kernel/ids.ts'

/** Text that the service writes to the standard input of the process that writes an export to its standard output. */
export interface DownloadOrder {
  config: Config
  version: string
  accountId: AccountId
  /** A folder that does not exist, for rows on their way. The service removes it. */
  draft: string
}
