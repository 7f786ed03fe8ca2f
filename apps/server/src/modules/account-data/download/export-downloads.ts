import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../../context/context.ts'
import { startInBackground } from '../../../kernel/background-process.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import type { DownloadOrder } from './download-order.ts'
import { ExportBytes } from './export-bytes.ts'

const program = join(import.meta.dirname, 'download-process.ts')

/** Each is a process, a snapshot of the database and a reader of the disk. */
const mostAtOnce = 2

/** Exports that are on their way to browsers, each written by a process of its own. */
class ExportDownloads {
  readonly #running = new Map<AccountId, ChildProcess>()
  #isSwept: Promise<void> | undefined

  /**
   * Starts an export, and resolves with its bytes once the first are there. It is broken off with the stream; a stream that fails has
   * given no whole export.
   *
   * @throws AppError `EXPORT_RUNNING`, `SERVICE_UNAVAILABLE`
   */
  async start(context: Pick<Context, 'config' | 'version' | 'log'>, accountId: AccountId): Promise<ExportBytes> {
    const folder = await this.#openFolder(context.config.dataDir)
    if (this.#running.has(accountId)) throw new AppError('EXPORT_RUNNING')
    if (this.#running.size >= mostAtOnce) {
      throw new AppError('SERVICE_UNAVAILABLE', { why: 'exports of other accounts are being written' })
    }
    const { config, version, log } = context
    const draft = join(folder, randomUUID())
    const order: DownloadOrder = { config, version, accountId, draft }
    const { child, problem } = startInBackground(program, order)
    this.#running.set(accountId, child)
    const content = new ExportBytes()
    child.stdout.pipe(content, { end: false })
    content.on('error', () => undefined)
    content.on('close', () => child.kill('SIGKILL'))
    const ended = once(child, 'close').then(async ([code]) => {
      this.#running.delete(accountId)
      await rm(draft, { recursive: true, force: true })
      if (code === 0) {
        content.end()
        return
      }
      if (!content.destroyed) log.error({ code, account_id: accountId, reason: problem() }, 'an export failed')
      content.destroy(new Error('The export was broken off.'))
    })
    await Promise.race([content.started, ended])
    if (content.destroyed) throw new AppError('SERVICE_UNAVAILABLE', { why: 'the export could not be started' })
    return content
  }

  /** Breaks off all that are under way, as when the service stops. */
  async stop(): Promise<void> {
    const children = [...this.#running.values()]
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(children.map((child) => once(child, 'close')))
  }

  /** The folder of drafts, without those of a service that was killed: a data folder belongs to one service at a time. */
  async #openFolder(dataDir: string): Promise<string> {
    const folder = join(dataDir, 'export-drafts')
    this.#isSwept ??= rm(folder, { recursive: true, force: true })
    await this.#isSwept
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return folder
  }
}

const makeDownloads = () => new ExportDownloads()

/** The exports that this service is writing to browsers. */
export const downloadsOf = ({ memory }: Pick<Context, 'memory'>) => memory.hold(makeDownloads, undefined)
