import { memberOf, numberIn, textIn } from '../wire/wire-values.ts'

/** Reports of Moonraker so far on this connection. */
export interface MoonrakerPicture {
  /** `klippy_state` of Moonraker: `ready`, `startup`, `error`, `shutdown`, `disconnected`. */
  klippy: string
  klippyMessage: string | null
  /** Klipper's objects by name, each merged from its changes. */
  objects: Record<string, Record<string, unknown>>
  /** Undefined until it was read on this connection, null where Moonraker keeps none; else its newest jobs, newest first. */
  history: readonly HistoryJob[] | null | undefined
  /**
   * A run begins before it is in the history, by a moment: `waiting` until its number is known, `over` when it does not come.
   * A run that changed its identity would look like two.
   */
  historyWait: 'none' | 'waiting' | 'over'
  /** What Klipper will do later, or refused to do; a sentence for people. */
  commandNote: string | null
  /** Metadata of the file that runs, with its name. */
  metadata: { fileName: string; facts: unknown } | null
  firmware: string | null
}

/** A job of Moonraker's history. Times in seconds since 1970 by the clock of its machine, durations in seconds. */
export interface HistoryJob {
  jobId: string
  fileName: string
  status: string
  startTime: number | null
  endTime: number | null
  /** `print_stats.total_duration` when Moonraker wrote the job down: at its begin, and again at its end. */
  totalSeconds: number | null
}

/** What `print_stats` says of the file that is loaded. */
export interface LoadedRun {
  fileName: string
  state: 'printing' | 'paused' | 'complete' | 'cancelled' | 'error'
  isActive: boolean
  /** Since its start, pauses included. */
  totalSeconds: number | null
}

/** Entries of the history that are looked at: the pieces into which restarts of Moonraker can break one run. */
export const HISTORY_LENGTH = 10

export function emptyPicture(): MoonrakerPicture {
  return {
    klippy: 'disconnected',
    klippyMessage: null,
    objects: {},
    history: undefined,
    historyWait: 'none',
    commandNote: null,
    metadata: null,
    firmware: null,
  }
}

/** Changes of objects merged over what is known; each names only the fields that changed. */
export function mergeObjects(picture: MoonrakerPicture, changed: unknown): MoonrakerPicture {
  if (typeof changed !== 'object' || changed === null) return picture
  const objects = { ...picture.objects }
  for (const [name, fields] of Object.entries(changed)) {
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) continue
    objects[name] = { ...(Object.hasOwn(objects, name) ? objects[name] : {}), ...fields }
  }
  return { ...picture, objects }
}

/** The picture with a job as a notification tells it, in its old place or as the newest one. */
export function mergeJob(picture: MoonrakerPicture, told: unknown): MoonrakerPicture {
  const job = historyJobIn(told)
  if (!job || !picture.history) return picture
  const isKnown = picture.history.some(({ jobId }) => jobId === job.jobId)
  const history = isKnown
    ? picture.history.map((known) => (known.jobId === job.jobId ? job : known))
    : [job, ...picture.history].slice(0, HISTORY_LENGTH)
  return { ...picture, history }
}

/** The jobs of an answer of `server.history.list`, newest first. */
export function historyIn(answer: unknown): HistoryJob[] {
  const jobs = memberOf(answer, 'jobs')
  return Array.isArray(jobs) ? jobs.flatMap((job) => historyJobIn(job) ?? []) : []
}

function historyJobIn(job: unknown): HistoryJob | null {
  const jobId = textIn(memberOf(job, 'job_id'), 128)
  const fileName = textIn(memberOf(job, 'filename'))
  if (jobId === null || fileName === null) return null
  return {
    jobId,
    fileName,
    status: textIn(memberOf(job, 'status')) ?? '',
    startTime: numberIn(memberOf(job, 'start_time')),
    endTime: numberIn(memberOf(job, 'end_time')),
    totalSeconds: numberIn(memberOf(job, 'total_duration')),
  }
}

/** The file that Klipper has loaded, running or over; null when none. */
export function fileNameOf(picture: MoonrakerPicture): string | null {
  return textIn(memberOf(picture.objects, 'print_stats', 'filename'))
}

const runStates = ['printing', 'paused', 'complete', 'cancelled', 'error'] as const

/** The run that `print_stats` speaks of, going on or over; null before the first one and after a restart of Klipper. */
export function loadedRun(picture: MoonrakerPicture): LoadedRun | null {
  const stats = memberOf(picture.objects, 'print_stats')
  const fileName = fileNameOf(picture)
  const state = runStates.find((name) => name === memberOf(stats, 'state'))
  if (fileName === null || state === undefined) return null
  const isActive = state === 'printing' || state === 'paused'
  return { fileName, state, isActive, totalSeconds: numberIn(memberOf(stats, 'total_duration')) }
}

/** Answers what Klipper says of itself; it tells of a shutdown before Moonraker does. */
export function klipperState({ klippy, objects }: MoonrakerPicture): string {
  const own = textIn(memberOf(objects, 'webhooks', 'state'))
  return own !== null && own !== 'ready' && klippy === 'ready' ? own : klippy
}
