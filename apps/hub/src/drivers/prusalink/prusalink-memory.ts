import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describeError, type Log } from '../../util/log.ts'
import { memberOf, textIn } from '../wire/wire-values.ts'
import type { LastRun, PrusaLinkPicture } from './prusalink-state.ts'

/** State that outlives the hub: the newest job that was seen, and whether the printer can be asked for it. */
interface Remembered extends Pick<PrusaLinkPicture, 'lastRun' | 'newestJobId' | 'mark'> {
  /** Which printer it is of: the address may have passed to another one. */
  serial: string | null
  tellsNewest: boolean
}

/**
 * The memory of one printer in the hub's folder. One that is lost or old costs precision, not safety: the printer is asked whether
 * the job that is remembered still is its newest.
 */
export interface PrusaLinkMemory {
  /** Undefined when there is none, or when it is of another printer. */
  recall(serial: string | null): Promise<Remembered | undefined>
  /** Writes what changed; resolves when it is on the disk or could not be written, which is logged. */
  keep(remembered: Remembered): Promise<void>
}

export function openPrusaLinkMemory(dataDir: string, printerId: string, log: Log): PrusaLinkMemory {
  const path = join(dataDir, 'prusalink', `${printerId.replace(/[^A-Za-z0-9_-]/g, '_')}.json`)
  let written = ''
  let writing: Promise<void> = Promise.resolve()

  const write = async (text: string) => {
    try {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(`${path}.new`, text)
      await rename(`${path}.new`, path)
    } catch (error) {
      written = ''
      log.warn('the newest job of a printer cannot be kept', { printer_id: printerId, problem: describeError(error) })
    }
  }

  return {
    async recall(serial) {
      const text = await readFile(path, 'utf8').catch(() => '')
      const remembered = parse(text)
      if (remembered === undefined || remembered.serial !== serial) return undefined
      written = text
      return remembered
    },
    keep(remembered) {
      const text = JSON.stringify(remembered)
      if (text !== written) {
        written = text
        writing = writing.then(() => write(text))
      }
      return writing
    },
  }
}

/** Undefined for what this hub did not write, such as a file that a power cut left half written. */
function parse(text: string): Remembered | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const newestJobId = textIn(memberOf(value, 'newestJobId'))
  const mark = textIn(memberOf(value, 'mark'))
  return {
    serial: textIn(memberOf(value, 'serial')),
    newestJobId,
    mark,
    tellsNewest: memberOf(value, 'tellsNewest') === true,
    lastRun: lastRunIn(memberOf(value, 'lastRun')),
  }
}

function lastRunIn(value: unknown): LastRun | null {
  const fileName = textIn(memberOf(value, 'run', 'file_name'))
  const jobId = textIn(memberOf(value, 'run', 'job_id'))
  if (fileName === null || jobId === null) return null
  const result = memberOf(value, 'result')
  const known = result === 'completed' || result === 'failed' || result === 'cancelled' ? result : null
  const run = { file_name: fileName, job_id: jobId, attempt_id: null }
  return { run, result: known, reason: textIn(memberOf(value, 'reason'), 500) }
}
