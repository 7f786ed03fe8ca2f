import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { HubConnections } from './gateway/hub-connections.ts'
import type { FileStore } from './modules/files/file-store.ts'
import type { SecretBox } from './secret-box.ts'

/** How long the answer to an order is waited for. A start is answered as soon as the hub has it in its journal. */
export interface Timeouts {
  commandMs: number
  startMs: number
}

export const defaultTimeouts: Timeouts = { commandMs: 30_000, startMs: 60_000 }

/** What a service may reach for. Built once in main.ts, or by a test. */
export interface Context {
  config: Config
  version: string
  db: Database
  hubs: HubConnections
  files: FileStore
  secrets: SecretBox
  clock: Clock
  log: FastifyBaseLogger
  timeouts: Timeouts
  /** True from the first signal to stop: `/readyz` answers 503, no new work is begun. */
  isDraining(): boolean
}
