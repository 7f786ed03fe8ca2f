import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { PrinterSettings } from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import type { Capabilities, DeviceCommand, FileToUpload } from '../driver.ts'
import type { PrintToStart } from '../print/filament-map.ts'

/** One connection to a printer of Elegoo's, in either of the languages that they speak. */
export interface ElegooSession {
  /** Resolves when the connection is over, no matter who ended it. */
  readonly closed: Promise<void>
  close(): void
  /** See `Capabilities`; false until this connection has shown it. */
  readonly remembersLastRun: boolean
  /** See `Capabilities`. */
  readonly filamentMap: Capabilities['filamentMap']
  /** These are those of `PrinterDriver`. */
  upload(file: FileToUpload, signal: AbortSignal): Promise<void>
  startPrint(fileName: string, print: PrintToStart, signal: AbortSignal): Promise<void>
  run(command: DeviceCommand, signal: AbortSignal): Promise<void>
  removeFile(fileName: string, signal: AbortSignal): Promise<void>
  takeStill(signal: AbortSignal): Promise<Buffer>
}

/** State that outlives one connection. */
export interface SessionMemory {
  /** The fault that a person has acknowledged, in the words of the status; null for none. */
  acknowledgedFault: string | null
}

export interface SessionOptions {
  memory: SessionMemory
  /** Names the printer's host. */
  base: URL
  /** As it was typed; undefined means the protocol's own. */
  port: number | undefined
  connection: PrinterSettings['connection']
  /** Each new picture; the first comes once the printer has said what it is doing. */
  show(state: PrinterState): void
  /** See `DriverContext`. */
  waitFactor: number
  /** Ends the connection. */
  signal: AbortSignal
}

/** Both languages send files in pieces of this size. */
export const PIECE_BYTES = 1024 * 1024
/** For one piece; a printer writes at least this fast. */
export const PIECE_TIMEOUT_MS = 60_000
export const QUESTION_TIMEOUT_MS = 10_000

/** Hex MD5 of a file, which the printers compare with what arrived. */
export async function md5Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('md5')
  await pipeline(createReadStream(path), hash, { signal })
  return hash.digest('hex')
}
