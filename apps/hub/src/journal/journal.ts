import { type FileHandle, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describeError, type Log } from '../util/log.ts'
import { syncDirectory } from '../util/sync-directory.ts'
import {
  applyRecord,
  emptyJournalState,
  forgetOldest,
  type JournalRecord,
  type JournalState,
  storeState,
} from './journal-state.ts'

/** The journal could not be written, as on a full disk; nothing may be done that it should have recorded. */
export class JournalWriteError extends Error {
  readonly code = 'JOURNAL_FAILED'

  constructor(cause: unknown) {
    super(`the journal cannot be written: ${describeError(cause)}`, { cause })
    this.name = 'JournalWriteError'
  }
}

/** A line in the middle of the journal is not readable: bytes that were once on the disk have changed. */
export class JournalDamagedError extends Error {
  readonly code = 'JOURNAL_DAMAGED'

  constructor(path: string, line: number) {
    super(
      `${path} is damaged in line ${line}; it holds what may have been started at printers, so the hub does not run ` +
        'without it. Look at every printer, then move the file away',
    )
    this.name = 'JournalDamagedError'
  }
}

/** The hub's durable memory. Its state is that of the records on the disk, never ahead of them. */
export interface Journal {
  readonly state: JournalState
  /** The last write failed: nothing new can be recorded until one succeeds. */
  readonly isFailing: boolean
  /**
   * Writes the records together, in order; resolves when they are on the disk and in the state. Rejects with a
   * `JournalWriteError`, and then none of them is in the state.
   */
  append(...records: JournalRecord[]): Promise<void>
  /** Writes a record whose loss costs no more than a repetition; does not wait for the disk. */
  appendLazily(record: JournalRecord): void
  close(): Promise<void>
}

interface JournalOptions {
  path: string
  log: Log
  /** A file larger than this, and than twice its last compacted size, is written again. */
  compactAboveBytes?: number
}

interface Entry {
  records: JournalRecord[]
  written?: { resolve: () => void; reject: (reason: Error) => void }
}

/**
 * Opens the journal and replays it. A torn last line is what a power cut leaves of a record that was never acknowledged to
 * anyone, and is cut off; any other unreadable line rejects with a `JournalDamagedError`.
 */
export async function openJournal({ path, log, compactAboveBytes = 1024 * 1024 }: JournalOptions): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true })
  const state = emptyJournalState()
  let sizeBytes = await replay(path, state, log)
  let compactedBytes = 0
  let file: FileHandle | undefined
  let waiting: Entry[] = []
  let turn: Promise<void> | undefined
  let closed = false
  let isFailing = false

  // Records of one turn share one write and one fdatasync: fifty printers do not need fifty of them.
  const writeAll = async () => {
    while (waiting.length > 0) {
      const entries = waiting
      waiting = []
      try {
        await write(entries)
        isFailing = false
        for (const { records, written } of entries) {
          for (const record of records) applyRecord(state, record)
          written?.resolve()
        }
        forgetOldest(state)
      } catch (cause) {
        isFailing = true
        for (const { written } of entries) written?.reject(new JournalWriteError(cause))
        log.error('the journal cannot be written', { problem: describeError(cause) })
        continue
      }
      if (sizeBytes > Math.max(compactAboveBytes, 2 * compactedBytes)) {
        await compact().catch((cause) =>
          log.warn('the journal could not be compacted', { problem: describeError(cause) }),
        )
      }
    }
    turn = undefined
  }

  const write = async (entries: Entry[]) => {
    const text = entries.flatMap(({ records }) => records.map((record) => `${JSON.stringify(record)}\n`)).join('')
    const bytes = Buffer.from(text)
    try {
      if (!file) {
        file = await open(path, 'a', 0o600)
        // What an earlier, failed write left behind would make a line in the middle unreadable.
        await file.truncate(sizeBytes)
        await syncDirectory(dirname(path))
      }
      let offset = 0
      while (offset < bytes.length) offset += (await file.write(bytes, offset)).bytesWritten
      if (entries.some(({ written }) => written)) await file.datasync()
      sizeBytes += bytes.length
    } catch (cause) {
      const broken = file
      file = undefined
      await broken?.truncate(sizeBytes).catch(() => undefined)
      await broken?.close().catch(() => undefined)
      throw cause
    }
  }

  const compact = async () => {
    const compactedPath = `${path}.new`
    const next = await open(compactedPath, 'w', 0o600)
    let bytes: number
    try {
      const line = Buffer.from(
        `${JSON.stringify({ t: 'snapshot', state: storeState(state) } satisfies JournalRecord)}\n`,
      )
      await next.writeFile(line)
      await next.sync()
      bytes = line.length
    } catch (cause) {
      await next.close()
      await rm(compactedPath, { force: true })
      throw cause
    }
    await next.close()
    await rename(compactedPath, path)
    await syncDirectory(dirname(path))
    await file?.close()
    file = undefined
    sizeBytes = bytes
    compactedBytes = bytes
  }

  const enqueue = (entry: Entry) => {
    waiting.push(entry)
    turn ??= Promise.resolve().then(writeAll)
  }

  return {
    state,
    get isFailing() {
      return isFailing
    },
    append: (...records) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new JournalWriteError(new Error('the journal is closed')))
        enqueue({ records, written: { resolve, reject } })
      }),
    appendLazily(record) {
      if (!closed) enqueue({ records: [record] })
    },
    async close() {
      closed = true
      await turn
      await file?.close()
      file = undefined
    },
  }
}

/** Reads the records into the state and answers with the length of what is readable. */
async function replay(path: string, state: JournalState, log: Log): Promise<number> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
  let start = 0
  let line = 0
  while (start < bytes.length) {
    line += 1
    const end = bytes.indexOf(0x0a, start)
    const record = end === -1 ? undefined : readRecord(bytes.toString('utf8', start, end))
    if (!record) {
      if (end !== -1 && end + 1 < bytes.length) throw new JournalDamagedError(path, line)
      log.warn('the last line of the journal was torn and is dropped', { line })
      return start
    }
    applyRecord(state, record)
    start = end + 1
  }
  return start
}

function readRecord(line: string): JournalRecord | undefined {
  try {
    const value: unknown = JSON.parse(line)
    // The journal is read by the program that wrote it; the tag tells a record from other JSON.
    return typeof (value as { t?: unknown } | null)?.t === 'string' ? (value as JournalRecord) : undefined
  } catch {
    return undefined
  }
}

export function journalPath(dataDir: string): string {
  return join(dataDir, 'journal.jsonl')
}
