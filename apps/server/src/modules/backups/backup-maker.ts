import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Context } from '../../context/context.ts'
import { startInBackground } from '../../kernel/background-process.ts'
import { AppError } from '../../kernel/errors.ts'
import { anotherRuns, type BackupOrder } from './backup-order.ts'
import type { BackupCause } from './backup-runs.queries.ts'

const program = join(import.meta.dirname, 'backup-process.ts')

/** A backup that was said to be over has yet to let go of its lock and to end; the next one waits this long for that. */
const endMs = 10_000

/** Makes the backups of a service, each in a process of its own. */
export class BackupMaker {
  #child: ChildProcess | undefined

  /**
   * Starts a backup, and resolves once it is recorded as a run.
   *
   * @throws AppError `BACKUP_RUNNING`, `SERVICE_UNAVAILABLE`
   */
  async start(
    { config, version, log }: Pick<Context, 'config' | 'version' | 'log'>,
    cause: BackupCause,
  ): Promise<void> {
    if (this.#child !== undefined) await this.#untilEnded(this.#child)
    if (this.#child !== undefined) throw new AppError('BACKUP_RUNNING')
    const order: BackupOrder = { config, version, cause }
    const { child, problem } = startInBackground(program, order)
    this.#child = child
    const ended = once(child, 'close').then(([code]) => {
      this.#child = undefined
      if (code !== 0 && code !== anotherRuns) log.error({ code, reason: problem() }, 'a backup failed')
      return code as number | null
    })
    const started = once(child.stdout, 'data').then(() => 'started' as const)
    const first = await Promise.race([started, ended])
    if (first === 'started' || first === 0) return
    if (first === anotherRuns) throw new AppError('BACKUP_RUNNING')
    throw new AppError('SERVICE_UNAVAILABLE', { why: 'the backup could not be started' })
  }

  async #untilEnded(child: ChildProcess): Promise<void> {
    await once(child, 'close', { signal: AbortSignal.timeout(endMs) }).catch(() => undefined)
  }

  /** Ends the backup that is under way, as when the service stops. */
  async stop(): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 3_000)
    await closed
    clearTimeout(timer)
  }
}
