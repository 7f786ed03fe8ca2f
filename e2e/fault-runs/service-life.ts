import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { buildApp } from '@printyard/server/app'
import type { Context } from '@printyard/server/context/context'
import { type DatabaseTarget, openDatabase, type Sql, type StatementGuard } from '@printyard/server/db/database'
import { createLocalFileStore } from '@printyard/server/file-store/local-file-store'
import { readConfig } from '@printyard/server/kernel/config'
import { Memory } from '@printyard/server/kernel/memory'
import { createSecretBox } from '@printyard/server/kernel/secret-box'
import { every } from '@printyard/server/kernel/timers'
import { ownLimits } from '@printyard/server/limits/limits'
import { createLive } from '@printyard/server/live/live'
import { settleAbandonedCommands } from '@printyard/server/modules/jobs/life/follow-printer'
import { makeLog } from '@printyard/server/service'

/** One life of the service, from its start to its sudden end. */
export interface ServiceLife {
  url: string
  port: number
  context: Context
  /** Ends it at once: sockets and database connections break, nothing is said to anyone and nothing more is done. */
  kill(): Promise<void>
  /** Breaks the database connections; the service goes on and connects again. */
  cutDatabase(): Promise<void>
}

interface ServiceLifeOptions {
  target: DatabaseTarget
  /** Of another owner, to break connections by; it must outlive the service. */
  administration: Sql
  guard?: StatementGuard
  dataDir: string
  /** How far its clock is off at this moment, in ms. */
  clockOffsetMs(): number
}

/** How long commands wait for their answer; short, so that what is lost is noticed within a run. */
const timeouts = { commandMs: 600, startMs: 600 }

export async function startServiceLife(options: ServiceLifeOptions): Promise<ServiceLife> {
  const { administration, dataDir } = options
  const applicationName = `fault-${randomBytes(6).toString('hex')}`
  const db = openDatabase({
    target: options.target,
    applicationName,
    statementConnections: 1,
    transactionConnections: 2,
    ...(options.guard && { guard: options.guard }),
  })
  let isGone = false
  const log = makeLog({ logLevel: 'silent' })
  const context: Context = {
    config: readConfig({ PRINTYARD_DATA_DIR: dataDir, PRINTYARD_RATE_LIMIT_PER_MINUTE: '1000000' }),
    version: 'test',
    db,
    ...createLive(),
    memory: new Memory(),
    limits: ownLimits,
    files: await createLocalFileStore(join(dataDir, 'files')),
    secrets: createSecretBox('00'.repeat(32)),
    clock: { now: () => new Date(Date.now() + options.clockOffsetMs()) },
    log,
    timeouts,
    isDraining: () => isGone,
  }
  const app = await buildApp(context)
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  // What the service does at its start and on its timers, with the waits of a run.
  const settle = (sparedMs: number) =>
    settleAbandonedCommands(context, new Date(context.clock.now().getTime() - sparedMs))
  await settle(-24 * 3_600_000)
  const stopTimer = every(100, 'settle abandoned commands', log, () => settle(200))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })

  const cutDatabase = async () => {
    await administration`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${applicationName}`
  }
  return {
    url,
    port: Number(new URL(url).port),
    context,
    cutDatabase,
    async kill() {
      if (isGone) return
      isGone = true
      stopTimer()
      const listeningEnded = new Promise((resolve) => app.server.close(resolve))
      for (const socket of sockets) socket.destroy()
      const closing = db.close()
      await cutDatabase()
      await closing
      await listeningEnded
      await app.close()
    },
  }
}
