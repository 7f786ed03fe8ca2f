import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../../../context/context.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import type { DownloadOrder } from './download-order.ts'
import { ExportBytes } from './export-bytes.ts'

const program = join(import.meta.dirname, 'download-process.ts')

/** Behind everything else that the machine does. */
const lowPriority = 10

/** Each is a process, a snapshot of the database and a reader of the disk. */
const mostAtOnce = 2

/** Exports that are on their way to browsers, each written by a process of its own: compressing would hold up requests here. */
class ExportDownloads {
  readonly #running = new Map<AccountId, ChildProcess>()
  #folder: Promise<string> | undefined

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
    const child = spawn(process.execPath, ['--max-old-space-size=256', program], { stdio: ['pipe', 'pipe', 'pipe'] })
    this.#running.set(accountId, child)
    if (child.pid !== undefined) setPriority(child.pid, lowPriority)
    const draft = join(folder, randomUUID())
    const content = new ExportBytes()
    const ended = this.#follow(child, { content, accountId, draft, log: context.log })
    child.stdin.on('error', () => undefined)
    const { config, version } = context
    const order: DownloadOrder = { config, version, accountId, draft }
    child.stdin.end(JSON.stringify(order))
    await Promise.race([content.begun, ended])
    if (content.destroyed) throw new AppError('SERVICE_UNAVAILABLE', { why: 'the export could not be started' })
    return content
  }

  /** Hands the bytes of the process on, ends it with their reader, and removes what it leaves. */
  async #follow(
    child: ChildProcessWithoutNullStreams,
    {
      content,
      accountId,
      draft,
      log,
    }: { content: ExportBytes; accountId: AccountId; draft: string } & Pick<Context, 'log'>,
  ): Promise<void> {
    let words = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-4_000)
    })
    // A process that could not be started closes too; its error says why.
    child.on('error', (error) => {
      words = error.message
    })
    child.stdout.pipe(content, { end: false })
    content.on('error', () => undefined)
    content.on('close', () => child.kill('SIGKILL'))
    const [code] = await once(child, 'close')
    this.#running.delete(accountId)
    await rm(draft, { recursive: true, force: true })
    if (code === 0) {
      content.end()
      return
    }
    if (!content.destroyed) log.error({ code, account_id: accountId, reason: words.trim() }, 'an export failed')
    content.destroy(new Error('The export was broken off.'))
  }

  /** Breaks off all that are under way, as when the service stops. */
  async stop(): Promise<void> {
    const children = [...this.#running.values()]
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(children.map((child) => once(child, 'close')))
  }

  /** The folder of drafts, without those of a service that was killed: a data folder belongs to one service at a time. */
  #openFolder(dataDir: string): Promise<string> {
    this.#folder ??= (async () => {
      const folder = join(dataDir, 'export-drafts')
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return folder
    })()
    return this.#folder
  }
}

const makeDownloads = () => new ExportDownloads()

/** The exports that this service is writing to browsers. */
export const downloadsOf = ({ memory }: Pick<Context, 'memory'>) => memory.hold(makeDownloads, undefined)
