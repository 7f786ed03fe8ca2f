import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../../context/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { anotherRuns, type BackupOrder } from './backup-order.ts'
import type { BackupCause } from './backup-runs.queries.ts'

const program = join(import.meta.dirname, 'backup-process.ts')

/** Behind everything else that the machine does. */
const lowPriority = 10

/** A backup that was said to be over has yet to let go of its lock and to end; the next one waits this long for that. */
const endMs = 10_000

/** Makes the backups of a service, each in a process of its own: hashing and encrypting would hold up requests here. */
export class BackupMaker {
  #child: ChildProcess | undefined

  /**
   * Starts a backup, and resolves once it is noted as a run.
   *
   * @throws AppError `BACKUP_RUNNING`, `SERVICE_UNAVAILABLE`
   */
  async start(
    { config, version, log }: Pick<Context, 'config' | 'version' | 'log'>,
    cause: BackupCause,
  ): Promise<void> {
    if (this.#child !== undefined) await this.#untilEnded(this.#child)
    if (this.#child !== undefined) throw new AppError('BACKUP_RUNNING')
    const child = spawn(process.execPath, ['--max-old-space-size=256', program], { stdio: ['pipe', 'pipe', 'pipe'] })
    this.#child = child
    let words = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-4_000)
    })
    const ended = once(child, 'close').then(([code]) => {
      this.#child = undefined
      if (code !== 0 && code !== anotherRuns) log.error({ code, reason: words.trim() }, 'a backup failed')
      return code as number | null
    })
    const started = once(child.stdout, 'data').then(() => 'started' as const)
    // A process that could not be started closes too; its error says why.
    child.on('error', (error) => {
      words = error.message
    })
    child.stdin.on('error', () => undefined)
    const order: BackupOrder = { config, version, cause }
    child.stdin.end(JSON.stringify(order))
    if (child.pid !== undefined) setPriority(child.pid, lowPriority)
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
