import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '../context/context.ts'
import type { App } from '../http/types.ts'
import { AppError } from '../kernel/errors.ts'
import type { Outage } from '../redis/outage.ts'

/** `/livez` says that the loop turns; `/readyz` that the service can do its work; both need no key. */
export function probeRoutes(app: App, context: Context): void {
  app.get('/livez', { logLevel: 'warn' }, async () => ({ status: 'alive' }))

  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    const checks = await readiness(context)
    const isReady = checks.every((check) => check.ok || check.isDispensable)
    reply.code(isReady ? 200 : 503)
    return { status: isReady ? 'ready' : 'not_ready', checks: checks.map(shown), version: context.version }
  })
}

/** Anyone who asks gives up soon; what does not answer by then does not work. */
const checkTimeoutMs = 2_000

interface Check {
  name: string
  ok: boolean
  problem?: string
  /** Since when, where that is known. */
  since?: string
  /** Without it the service does its work, if not as well. */
  isDispensable?: true
}

const shown = ({ isDispensable: _, ...check }: Check) => check

async function readiness(context: Context): Promise<Check[]> {
  if (context.isDraining()) return [{ name: 'service', ok: false, problem: 'is shutting down' }]
  const checks = await Promise.all([
    check('database', context.db.sql`select 1`, () => 'does not answer'),
    // Anybody may ask: only our own sentences, no paths of this machine.
    check('storage', context.files.check(), (error) =>
      error instanceof AppError ? error.message : 'cannot be written to',
    ),
  ])
  // Two connections to one Redis: each may be gone without the other.
  if (context.limits.isShared) checks.push(dispensable('redis', context.limits.outage()))
  if (context.peers.isShared) checks.push(dispensable('cluster', context.peers.outage()))
  return checks
}

/** A service without Redis is better than none: it stays ready, and says what is missing. */
function dispensable(name: string, outage: Outage | undefined): Check {
  const what = outage && { problem: outage.problem, since: outage.since.toISOString() }
  return { name, ok: outage === undefined, isDispensable: true, ...what }
}

async function check(name: string, work: PromiseLike<unknown>, describe: (error: unknown) => string): Promise<Check> {
  const patience = new AbortController()
  const silence = wait(checkTimeoutMs, { name, ok: false, problem: 'does not answer' }, patience)
  // It is aborted as soon as the other one is first.
  silence.catch(() => undefined)
  const result = Promise.resolve(work).then(
    (): Check => ({ name, ok: true }),
    (error: unknown): Check => ({ name, ok: false, problem: describe(error) }),
  )
  try {
    return await Promise.race([result, silence])
  } finally {
    patience.abort()
  }
}
