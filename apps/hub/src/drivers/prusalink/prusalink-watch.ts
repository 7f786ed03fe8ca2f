import { DriverError } from '../driver.ts'
import { memberOf, numberIn, textIn } from '../wire/wire-values.ts'
import { findNewestJob, tellsNewestJob } from './newest-job.ts'
import type { PrusaLinkApi, ReadingOptions } from './prusalink-api.ts'
import type { PrusaLinkMemory } from './prusalink-memory.ts'
import {
  emptyPicture,
  isRunning,
  jobIdOf,
  leavesPauseOpen,
  mergePoll,
  type NewestJob,
  type PrusaLinkPicture,
} from './prusalink-state.ts'

/** Polls further apart than this may have missed a print; the shortest one takes twice as long. */
const GAP_MS = 15_000

interface PrusaLinkWatchOptions {
  api: PrusaLinkApi
  memory: PrusaLinkMemory
  pollTimeoutMs: number
  /** See `DriverContext`. */
  waitFactor: number
  onPicture(picture: PrusaLinkPicture): void
  /** Jobs have numbers between the newest known one and the one that was just seen: no one watched them. */
  onUnseen(knownJobId: string, seenJobId: string): void
}

/** Known state of one printer, poll by poll, over reconnections and restarts of the hub. */
interface PrusaLinkWatch {
  readonly picture: PrusaLinkPicture
  /** PrusaLink on a Raspberry Pi, not in the printer's firmware. */
  readonly isOnRaspberryPi: boolean
  /** The printer tells its newest job, and the newest one that is known is one of its numbers. */
  readonly knowsNewest: boolean
  readonly isUploading: boolean
  /** Learns what a connection begins with: which printer it is, and what is remembered of it. */
  meet(signal: AbortSignal): Promise<void>
  /** Polls once; polls that were started before end first. */
  look(signal: AbortSignal): Promise<void>
  /**
   * Sends a file, and looks at what happened meanwhile before it resolves. A printer that cannot be asked for its newest job
   * afterwards is watched beside the upload.
   */
  during(upload: () => Promise<void>, signal: AbortSignal): Promise<void>
  /** Resolves when nothing is under way any more. */
  settle(): Promise<void>
}

export function createPrusaLinkWatch(options: PrusaLinkWatchOptions): PrusaLinkWatch {
  const { api, memory, pollTimeoutMs, waitFactor, onPicture, onUnseen } = options
  let picture = emptyPicture()
  let isOnRaspberryPi = false
  let serial: string | null = null
  /** See `tellsNewestJob`; asked once for each job until it does. */
  let tellsNewest = false
  let askedWith: string | null = null
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let looking: Promise<unknown> = Promise.resolve()
  let keeping: Promise<void> = Promise.resolve()
  let uploads = 0

  const knowsNewest = () => tellsNewest && picture.newestJobId !== null
  const reading = (): ReadingOptions => ({ timeoutMs: pollTimeoutMs, isBeside: uploads > 0 && !knowsNewest() })
  const read = (path: string, signal: AbortSignal) => api.read(path, signal, reading())

  const lookInTurn = (signal: AbortSignal, isAfterUpload: boolean): Promise<void> => {
    const next = looking.then(() => lookOnce(signal, isAfterUpload))
    looking = next.catch(() => undefined)
    return next
  }

  const lookOnce = async (signal: AbortSignal, isAfterUpload: boolean) => {
    signal.throwIfAborted()
    const status = await read('api/v1/status', signal)
    const isUnbroken = performance.now() < lookedAtMs + GAP_MS * waitFactor
    const mayHaveMissed = !isUnbroken || isAfterUpload || isRunning(picture)
    const newest = await newestJob(jobIdOf(status), mayHaveMissed, signal)
    const job = await jobOf(status, newest, signal)
    const printer =
      leavesPauseOpen(status) && !isOnRaspberryPi ? await read('api/printer', signal).catch(ignoreAbsence) : undefined
    const known = picture.newestJobId
    picture = mergePoll(picture, { status, job, printer, newest, isUnbroken })
    const seen = picture.newestJobId
    if (known !== null && seen !== null && Number(seen) > Number(known) + 1) onUnseen(known, seen)
    lookedAtMs = performance.now()
    const { lastRun, mark, newestJobId } = picture
    keeping = memory.keep({ serial, tellsNewest, lastRun, mark, newestJobId })
    onPicture(picture)
  }

  const newestJob = async (shownId: string | null, mayHaveMissed: boolean, signal: AbortSignal): Promise<NewestJob> => {
    const isNewest = (id: string) => api.isNewestJob(id, signal, reading())
    if (shownId !== null) {
      if (!tellsNewest && !isOnRaspberryPi && shownId !== askedWith) {
        tellsNewest = await tellsNewestJob(shownId, isNewest)
        askedWith = shownId
      }
      return 'unsaid'
    }
    if (!mayHaveMissed || !tellsNewest || picture.newestJobId === null) return 'unsaid'
    const newest = await findNewestJob(picture.newestJobId, isNewest)
    if (newest === 'unsaid') tellsNewest = false
    return newest
  }

  /** The job is asked for when it is a new one, and when a printer without one may still say which it did last. */
  const jobOf = async (status: unknown, newest: NewestJob, signal: AbortSignal): Promise<unknown> => {
    const shownId = jobIdOf(status)
    if (shownId === null && picture.lastRun !== null && typeof newest !== 'object') return undefined
    if (shownId !== null && shownId === String(numberIn(memberOf(picture.job, 'id')))) return picture.job
    const job = await read('api/v1/job', signal)
    const shortName = textIn(memberOf(job, 'file', 'name'))
    const folder = textIn(memberOf(job, 'file', 'path'))
    if (shortName === null || folder === null || textIn(memberOf(job, 'file', 'display_name')) !== null) return job
    // Only the name on the drive, eight letters and three: the file itself says how it was sent.
    const path = [...folder.split('/').filter(Boolean), shortName].map(encodeURIComponent).join('/')
    const file = await read(`api/v1/files/${path}`, signal).catch(ignoreAbsence)
    const display_name = textIn(memberOf(file, 'display_name')) ?? shortName
    return { id: memberOf(job, 'id'), state: memberOf(job, 'state'), file: { name: shortName, display_name } }
  }

  return {
    get picture() {
      return picture
    },
    get isOnRaspberryPi() {
      return isOnRaspberryPi
    },
    get knowsNewest() {
      return knowsNewest()
    },
    get isUploading() {
      return uploads > 0
    },
    async meet(signal) {
      const version = await api.read('api/version', signal)
      isOnRaspberryPi = memberOf(version, 'sdk') !== undefined
      const printer = await api.read('api/printer', signal).catch(ignoreAbsence)
      const material = textIn(memberOf(printer, 'telemetry', 'material'), 50)
      const info = await api.read('api/v1/info', signal).catch(ignoreAbsence)
      const itsSerial = textIn(memberOf(info, 'serial'), 64)
      if (picture.status === undefined || itsSerial !== serial) {
        serial = itsSerial
        const remembered = await memory.recall(serial)
        tellsNewest = remembered?.tellsNewest ?? false
        const { lastRun = null, mark = null, newestJobId = null } = remembered ?? {}
        picture = { ...emptyPicture(), lastRun, mark, newestJobId }
      }
      picture = {
        ...picture,
        firmware: textIn(memberOf(version, 'firmware'), 100),
        material: material === '-' ? null : material,
      }
    },
    look: (signal) => lookInTurn(signal, false),
    async during(upload, signal) {
      uploads += 1
      try {
        await upload()
      } finally {
        uploads -= 1
      }
      // What is known of the printer is as old as the upload was long, and something may have been printed meanwhile.
      await lookInTurn(signal, true)
    },
    async settle() {
      await looking
      await keeping
    },
  }
}

/** The older calls are missing in some firmware. */
function ignoreAbsence(error: unknown): undefined {
  if (error instanceof DriverError && error.code === 'REFUSED') return undefined
  throw error
}
