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

/** Time that an export is left alone, however slowly it is read. */
const leftAloneMs = 5 * 60_000

/** Bytes a second: who reads more slowly than this gives way to another account that wants to begin. */
const slowRate = 1024 * 1024

interface Running {
  child: ChildProcess
  content: ExportBytes
  startedAtMs: number
}

/**
 * Exports that are on their way to browsers, each written by a process of its own. Where all places are taken, a slow reader who has held
 * one for minutes gives way: otherwise a few accounts could keep all others from their exports.
 */
export class ExportDownloads {
  readonly #running = new Map<AccountId, Running>()
  readonly #leftAloneMs: number
  #isSwept: Promise<void> | undefined

  constructor(options: { leftAloneMs?: number } = {}) {
    this.#leftAloneMs = options.leftAloneMs ?? leftAloneMs
  }

  /**
   * Starts an export, and resolves with its bytes once the first are there. It is broken off with the stream; a stream that fails has
   * given no whole export.
   *
   * @throws AppError `EXPORT_RUNNING`, `SERVICE_UNAVAILABLE`
   */
  async start(context: Pick<Context, 'config' | 'version' | 'log'>, accountId: AccountId): Promise<ExportBytes> {
    const folder = await this.#openFolder(context.config.dataDir)
    if (this.#running.has(accountId)) throw new AppError('EXPORT_RUNNING')
    if (this.#running.size >= mostAtOnce && !this.#breakOffSlow()) {
      throw new AppError('SERVICE_UNAVAILABLE', { why: 'exports of other accounts are being written' })
    }
    const { config, version, log } = context
    const draft = join(folder, randomUUID())
    const order: DownloadOrder = { config, version, accountId, draft }
    const { child, problem } = startInBackground(program, order)
    const content = new ExportBytes()
    const running = { child, content, startedAtMs: performance.now() }
    this.#running.set(accountId, running)
    child.stdout.pipe(content, { end: false })
    content.on('error', () => undefined)
    content.on('close', () => child.kill('SIGKILL'))
    const ended = once(child, 'close').then(async ([code]) => {
      if (this.#running.get(accountId) === running) this.#running.delete(accountId)
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
    const running = [...this.#running.values()]
    const closed = running.map(({ child }) => once(child, 'close'))
    // What waits for a reader who takes nothing would keep the process from being closed.
    for (const { content } of running) content.destroy(new Error('The service stops.'))
    await Promise.all(closed)
  }

  /** Ends the export that was read most slowly, if it is slow. @returns whether there is a place now */
  #breakOffSlow(): boolean {
    const nowMs = performance.now()
    const slow = [...this.#running]
      .map(([accountId, { content, startedAtMs }]) => {
        const lastedMs = nowMs - startedAtMs
        return { accountId, content, lastedMs, rate: (content.bytesTaken / lastedMs) * 1_000 }
      })
      .filter(({ lastedMs, rate }) => lastedMs >= this.#leftAloneMs && rate < slowRate)
      .sort((a, b) => a.rate - b.rate)[0]
    if (slow === undefined) return false
    this.#running.delete(slow.accountId)
    slow.content.destroy(new Error('The export was read slowly, and gave way to another account.'))
    return true
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
