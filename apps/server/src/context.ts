import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { HubConnections } from './gateway/hub-connections.ts'
import type { FileStore } from './modules/files/file-store.ts'
import type { SecretBox } from './secret-box.ts'

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
  /** True from the first signal to stop: `/readyz` answers 503, no new work is begun. */
  isDraining(): boolean
}
