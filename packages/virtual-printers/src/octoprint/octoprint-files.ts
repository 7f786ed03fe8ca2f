import { createHash } from 'node:crypto'
import type { PrintPlan } from '../virtual-printer.ts'

/** A file in OctoPrint's own store, with how often it was printed to which end. */
export interface OctoPrintFile {
  size: number
  /** Seconds since 1970. */
  date: number
  hash: string
  plan: PrintPlan
  success: number
  failure: number
  last: { date: number; success: boolean; printTime?: number } | null
}

/** The store, which is kept over restarts of OctoPrint. A file that is replaced keeps its counts; a removed one loses them. */
export interface OctoPrintFiles {
  find(path: string): OctoPrintFile | undefined
  put(path: string, content: Buffer, plan: PrintPlan): void
  copy(from: string, to: string): void
  remove(path: string): void
  /** Puts the end of a print on record; of a path that is not stored nothing is. */
  record(path: string, success: boolean, printSeconds: number): void
  /** As the API lists them; links begin with `base`. */
  list(base: string): object[]
  describe(path: string, base: string): object | undefined
}

export function createOctoPrintFiles(): OctoPrintFiles {
  const files = new Map<string, OctoPrintFile>()
  const now = () => Math.floor(Date.now() / 1_000)
  const describe = (path: string, base: string): object | undefined => {
    const file = files.get(path)
    if (!file) return undefined
    const { size, date, hash, success, failure, last } = file
    const printTime = last?.printTime
    return {
      date,
      display: path,
      hash,
      name: path,
      origin: 'local',
      path,
      ...(last && { prints: { success, failure, last } }),
      refs: { download: `${base}downloads/files/local/${path}`, resource: `${base}api/files/local/${path}` },
      size,
      ...(printTime !== undefined && {
        statistics: { averagePrintTime: { _default: printTime }, lastPrintTime: { _default: printTime } },
      }),
      type: 'machinecode',
      typePath: ['machinecode', 'gcode'],
      user: 'hub',
    }
  }
  return {
    find: (path) => files.get(path),
    put(path, content, plan) {
      const { success = 0, failure = 0, last = null } = files.get(path) ?? {}
      const hash = createHash('sha1').update(content).digest('hex')
      files.set(path, { size: content.length, date: now(), hash, plan, success, failure, last })
    },
    copy(from, to) {
      const file = files.get(from)
      if (file) files.set(to, { ...file, date: now(), success: 0, failure: 0, last: null })
    },
    remove: (path) => void files.delete(path),
    record(path, isSuccess, printSeconds) {
      const file = files.get(path)
      if (!file) return
      const last = { date: Date.now() / 1_000, success: isSuccess, ...(isSuccess && { printTime: printSeconds }) }
      const counts = { success: file.success + Number(isSuccess), failure: file.failure + Number(!isSuccess) }
      files.set(path, { ...file, ...counts, last })
    },
    list: (base) => [...files.keys()].map((path) => describe(path, base) ?? {}),
    describe,
  }
}
