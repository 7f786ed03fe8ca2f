import { memberOf } from '../wire/wire-values.ts'
import { type BambuPicture, fileNameOf, isRunning, subtaskIdOf } from './bambu-report.ts'

/**
 * A start whose effect was not seen yet. The printer goes on saying that it is free for tens of seconds after it has taken a
 * job, and a second start can kill the first: the lock outlives connections.
 */
interface StartLock {
  /** The file that the printer was told to print; undefined when it may be told another. */
  readonly fileName: string | undefined
  /** `subtaskId` is the number that the run will be shown under; null when it has none. */
  close(fileName: string, subtaskId: string | null): void
  /** The start was refused. */
  open(): void
  /** Opens it when the printer shows the run, or when its time is over and a full report shows none. */
  look(picture: BambuPicture, message: unknown): void
  /** True when only a full report that no one has asked for can open it; true once in each of its times. */
  takesFullReport(): boolean
}

/** `timeMs`: a start that was answered and is not seen for so long may have come to nothing. */
export function createStartLock(timeMs: number): StartLock {
  let held: { fileName: string; subtaskId: string | null; sinceMs: number; askedAtMs: number } | undefined

  const shows = (picture: BambuPicture, { fileName, subtaskId }: NonNullable<typeof held>) =>
    isRunning(picture) &&
    ((subtaskId !== null && subtaskIdOf(picture) === subtaskId) || fileNameOf(picture) === fileName)

  return {
    get fileName() {
      return held?.fileName
    },
    close(fileName, subtaskId) {
      const nowMs = performance.now()
      held = { fileName, subtaskId, sinceMs: nowMs, askedAtMs: nowMs }
    },
    open() {
      held = undefined
    },
    look(picture, message) {
      if (!held) return
      const isOld = performance.now() - held.sinceMs > timeMs
      const isOver = isOld && !isRunning(picture) && memberOf(message, 'print', 'msg') === 0
      if (isOver || shows(picture, held)) held = undefined
    },
    takesFullReport() {
      const nowMs = performance.now()
      if (!held || nowMs - held.askedAtMs <= timeMs) return false
      held.askedAtMs = nowMs
      return true
    },
  }
}
