import { makeLinkForPerson } from '@printyard/server/modules/people/password-resets/account-recovery'
import type { Answer } from '../answer.ts'
import { CommandError } from '../command-error.ts'
import { type DataDirOption, readCommandConfig, withDatabase } from '../with-database.ts'

export interface MakeResetLinkOptions extends DataDirOption {
  /** Address at which the browser of the person reaches the service. */
  url?: string
}

export async function makeResetLink(email: string, options: MakeResetLinkOptions): Promise<Answer> {
  const publicUrl = readUrl(options)
  const link = await withDatabase(options, 'users reset-link', (db) =>
    makeLinkForPerson(db, email, publicUrl, new Date()),
  )
  return {
    document: link,
    text: `With this link ${link.email} sets a new password. It works once, until ${link.expires_at.toISOString()}:\n\n${link.url}`,
  }
}

function readUrl(options: MakeResetLinkOptions): string {
  if (options.url !== undefined) {
    const url = options.url.replace(/\/$/, '')
    if (!/^https?:\/\/[^/\s]+$/.test(url)) {
      throw new CommandError('Write the address of the service like https://farm.example.com.', 2)
    }
    return url
  }
  const { publicUrl, port } = readCommandConfig(options)
  // Anyone who sits at the machine reaches the service there, whatever else it listens on.
  return publicUrl ?? `http://localhost:${port}`
}
