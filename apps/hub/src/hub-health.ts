import { statfs } from 'node:fs/promises'
import type { ReportedProblem } from '@printyard/protocol/reported-problem'
import type { Journal } from './journal/journal.ts'
import { describeError, type Log } from './util/log.ts'

/** With less than this the next files and prints may not fit. */
const LOW_BYTES = 200 * 1024 * 1024
/** With less than this the journal cannot be relied on to find room for its next records. */
const LEAST_BYTES = 64 * 1024

/** Problems of the hub itself. */
export interface HubHealth {
  /** As last looked at; begins to look again, so that asking regularly keeps it fresh. */
  problems(): ReportedProblem[]
}

interface HubHealthOptions {
  dataDir: string
  journal: Pick<Journal, 'isFailing' | 'appendLazily'>
  log: Log
  /** It talks to its service without encryption, over a network. */
  isPlainText?: boolean
}

/** Answers what a disk with so much room left is to the hub; null for one that will do. */
export function storageProblem(freeBytes: number, isJournalFailing: boolean): ReportedProblem | null {
  if (isJournalFailing || freeBytes < LEAST_BYTES) return { reason: 'hub_storage_full', message: null }
  return freeBytes < LOW_BYTES ? { reason: 'hub_storage_low', message: null } : null
}

export function watchHubHealth({ dataDir, journal, log, isPlainText = false }: HubHealthOptions): HubHealth {
  let freeBytes = Number.POSITIVE_INFINITY
  let isLooking = false

  const look = async () => {
    if (isLooking) return
    isLooking = true
    try {
      const { bavail, bsize } = await statfs(dataDir)
      freeBytes = bavail * bsize
      // Only a write shows that the journal takes records again, and nothing is written while commands are refused.
      if (journal.isFailing && freeBytes >= LEAST_BYTES) journal.appendLazily({ t: 'ack', ids: [] })
    } catch (error) {
      log.warn('the room on the disk of the hub cannot be told', { problem: describeError(error) })
    } finally {
      isLooking = false
    }
  }
  void look()

  return {
    problems() {
      const problem = storageProblem(freeBytes, journal.isFailing)
      void look()
      return [...(problem ? [problem] : []), ...(isPlainText ? [{ reason: 'hub_plain_text', message: null }] : [])]
    },
  }
}
