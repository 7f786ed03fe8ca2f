import { removeSecondFactorOf } from '@printyard/server/modules/people/password-resets/account-recovery'
import type { Answer } from '../answer.ts'
import { type DataDirOption, withDatabase } from '../with-database.ts'

export async function removeSecondFactor(email: string, options: DataDirOption): Promise<Answer> {
  const removed = await withDatabase(options, 'users remove-second-factor', (db) =>
    removeSecondFactorOf(db, email, new Date()),
  )
  return {
    document: removed,
    text: `${removed.email} signs in by the password alone from now on, and is signed out everywhere.`,
  }
}
