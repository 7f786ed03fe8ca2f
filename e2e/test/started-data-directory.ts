import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { connectDatabase } from '@printyard/server/db/connect-database'
import { silentLog } from '@printyard/server/db/setup/database-log'
import { temporaryDirectory } from '@printyard/server/test/run/temporary-directory'
import { inject } from 'vitest'

/**
 * A data directory as a service leaves it that was started once and stopped: its database is made and migrated. A copy takes a
 * twentieth of the processor time of making one; a test of the first start takes a directory that is not there.
 */
export async function startedDataDirectory(): Promise<string> {
  const template = join(dirname(inject('testServerSocket')), 'started')
  if (!existsSync(template)) await makeTemplate(template)
  const dataDir = join(temporaryDirectory(), 'data')
  // With the owner of each file: as root, PostgreSQL runs as another user.
  await promisify(execFile)('cp', ['-a', template, dataDir])
  return dataDir
}

/** Two processes may make it at once: each in a draft of its own, of which one gets the name. */
async function makeTemplate(template: string): Promise<void> {
  const draft = await mkdtemp(`${template}-`)
  await chmod(draft, 0o711)
  const connected = await connectDatabase({ dataDir: join(draft, 'data'), purpose: 'tests' }, silentLog)
  await connected.close()
  try {
    await rename(join(draft, 'data'), template)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['ENOTEMPTY', 'EEXIST'].includes(code)) throw error
  }
  await rm(draft, { recursive: true, force: true })
}
