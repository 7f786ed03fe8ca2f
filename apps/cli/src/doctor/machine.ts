import { findPostgresBinaries } from '@printyard/server/db/embedded/postgres-binaries'
import { DatabaseSetupError } from '@printyard/server/db/setup/database-setup-error'
import type { Config } from '@printyard/server/kernel/config'
import { type Finding, messageOf, ok, problem } from './finding.ts'

/** Passwords need `crypto.argon2`, which came with 24.7. */
const oldestNode = [24, 7] as const

export function checkNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]))
    return ok('node', `Node ${version}.`)
  return problem(
    'node',
    `Node ${version} is too old: Printyard needs ${oldestNode.join('.')} or newer.`,
    'Start with `npm start`, which fetches the right one, or install a newer Node.',
  )
}

export function checkPostgresBinaries({
  databaseUrl,
  postgresBinDir,
}: Pick<Config, 'databaseUrl' | 'postgresBinDir'>): Finding {
  if (databaseUrl !== undefined)
    return ok('postgresql', 'The bundled PostgreSQL is not needed: DATABASE_URL names another.')
  try {
    const { major } = findPostgresBinaries(postgresBinDir)
    if (postgresBinDir !== undefined) return ok('postgresql', `PostgreSQL ${major} of ${postgresBinDir} is run.`)
    return ok('postgresql', `The bundled PostgreSQL ${major} fits this machine.`)
  } catch (error) {
    // One that was foreseen names the way out itself.
    const remedy = error instanceof DatabaseSetupError ? undefined : 'Install again with `npm ci`.'
    return problem('postgresql', messageOf(error), remedy)
  }
}
