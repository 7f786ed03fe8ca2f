import { findPostgresBinaries } from '@printyard/server/db/embedded/postgres-binaries'
import { DatabaseSetupError } from '@printyard/server/db/setup/database-setup-error'
import type { Config } from '@printyard/server/kernel/config'
import { shareable, tell } from '@printyard/server/modules/support/tell'
import { type Finding, messageOf, ok, problem } from './finding.ts'

/** Passwords need `crypto.argon2`, which came with 24.7. */
const oldestNode = [24, 7] as const

export function checkNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]))
    return ok('node', tell`Node ${shareable(version)}.`)
  return problem(
    'node',
    tell`Node ${shareable(version)} is too old: Printyard needs ${shareable(oldestNode.join('.'))} or newer.`,
    tell`Start with \`npm start\`, which fetches the right one, or install a newer Node.`,
  )
}

export function checkPostgresBinaries({
  databaseUrl,
  postgresBinDir,
}: Pick<Config, 'databaseUrl' | 'postgresBinDir'>): Finding {
  if (databaseUrl !== undefined)
    return ok('postgresql', tell`The bundled PostgreSQL is not needed: DATABASE_URL names another.`)
  try {
    const { major } = findPostgresBinaries(postgresBinDir)
    if (postgresBinDir !== undefined) return ok('postgresql', tell`PostgreSQL ${major} of ${postgresBinDir} is run.`)
    return ok('postgresql', tell`The bundled PostgreSQL ${major} fits this machine.`)
  } catch (error) {
    // One that was foreseen names the way out itself.
    const remedy = error instanceof DatabaseSetupError ? undefined : tell`Install again with \`npm ci\`.`
    return problem('postgresql', messageOf(error), remedy)
  }
}
