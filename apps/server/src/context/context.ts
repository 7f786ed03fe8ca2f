import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../db/database.ts'
import type { FileStore } from '../file-store/file-store.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Config } from '../kernel/config.ts'
import type { Memory } from '../kernel/memory.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import type { Limits } from '../limits/limits.ts'
import type { Live } from '../live/live.ts'
import type { ServedCertificate } from '../tls/served-certificate.ts'

/** Time that the answer to an order is waited for. A start is answered as soon as the hub has it in its journal. */
export interface Timeouts {
  commandMs: number
  startMs: number
}

export const defaultTimeouts: Timeouts = { commandMs: 30_000, startMs: 60_000 }

/** What a service may reach for. Built once in main.ts, or by a test. */
export interface Context extends Live {
  config: Config
  version: string
  db: Database
  files: FileStore
  limits: Limits
  secrets: SecretBox
  clock: Clock
  log: FastifyBaseLogger
  /** What modules remember from one request or report to the next. */
  memory: Memory
  timeouts: Timeouts
  /** With which it speaks HTTPS; undefined where it speaks plain HTTP. */
  certificate?: ServedCertificate | undefined
  /** True from the first signal to stop: `/readyz` answers 503, no new work is started. */
  isDraining(): boolean
}
