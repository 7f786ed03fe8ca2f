import type { Context } from '../context.ts'
import type { App } from './types.ts'

/** `/livez` says that the loop turns; `/readyz` that the service can do its work; both need no key. */
export function healthRoutes(app: App, context: Context): void {
  app.get('/livez', { logLevel: 'warn' }, async () => ({ status: 'alive' }))

  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    const checks = await readiness(context)
    const isReady = checks.every((check) => check.ok)
    reply.code(isReady ? 200 : 503)
    return { status: isReady ? 'ready' : 'not_ready', checks, version: context.version }
  })
}

interface Check {
  name: string
  ok: boolean
  problem?: string
}

async function readiness(context: Context): Promise<Check[]> {
  if (context.isDraining()) return [{ name: 'service', ok: false, problem: 'is shutting down' }]
  const database = context.db.sql`select 1`.then(
    (): Check => ({ name: 'database', ok: true }),
    (): Check => ({ name: 'database', ok: false, problem: 'does not answer' }),
  )
  const storage = context.files.check().then(
    (): Check => ({ name: 'storage', ok: true }),
    (error: Error): Check => ({ name: 'storage', ok: false, problem: error.message }),
  )
  return Promise.all([database, storage])
}
