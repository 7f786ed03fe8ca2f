import type { CommandKind } from '@printyard/protocol/command-kinds'
import type { PrinterCommand } from '@printyard/protocol/commands'
import type { PrinterSettings } from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import type { VirtualPrinter } from '@printyard/virtual-printers/virtual-printer'
import type { Clock } from '../util/clock.ts'
import { CodedError } from '../util/coded-error.ts'
import type { Log } from '../util/log.ts'
import type { PrintToStart } from './print/filament-map.ts'

/** A command that a driver carries out itself; printing is an attempt and goes by `upload` and `startPrint`. */
export type DeviceCommand = Exclude<PrinterCommand, { kind: 'print' }>

/** What a printer can be asked at all; everything else is answered without asking it. */
export interface Capabilities {
  commands: ReadonlySet<CommandKind>
  /**
   * The printer names each run, answers a start with that name, and shows the name of its last run until the next one
   * begins, over power cuts too. Only of such a printer can it be said for certain that a run never began.
   */
  keepsRunIdentity: boolean
  /**
   * It shows the run that it did last, no matter who started it, until the next one begins, over its own restarts and power cuts too:
   * a print that no one watched is found out afterwards. Others are asked about after each time out of sight.
   */
  remembersLastRun: boolean
  /**
   * Time that a printer may take to show a run that it said no to, in ms of this driver's time: so long it is watched before a
   * refused start counts as not started. A server in front of a printer refuses, times out or restarts after the command
   * has gone on to the printer; the figure of each family follows from how late its reports may come.
   */
  refusalWatchMs: number
  /** Its picture shows whether filament is at the nozzle; of others a yes to loading or unloading is all that can be had. */
  tellsLoadedFilament: boolean
  /**
   * Need to be told from which slot each filament is printed. `needed`: it chooses by itself when it is not told, so what a file
   * uses is found out before a start that says nothing. `optional`: without it the printer goes by a map of its own.
   */
  filamentMap: 'none' | 'optional' | 'needed'
  /** It may be asked for a picture; whether a camera is there and on, only the question shows. */
  camera: boolean
}

/**
 * Reason why a printer did not do what it was asked. After `NO_ANSWER` it may have done it anyway. After every other code it
 * said that it did not, which is no proof: a refused start is watched for `Capabilities.refusalWatchMs`. `NOT_MAPPED`: no start was
 * sent, because it is not certain from which spool each filament would be printed. Of an upload all codes mean that the
 * file is not to be used.
 */
export type DriverErrorCode =
  | 'NOT_SUPPORTED'
  | 'UNREACHABLE'
  | 'REFUSED'
  | 'BUSY'
  | 'WRONG_STATE'
  | 'UPLOAD_BROKEN'
  | 'NOT_MAPPED'
  | 'NO_ANSWER'

export class DriverError extends CodedError<DriverErrorCode> {}

/**
 * The printer has taken a command and carries it out when it can, which may be minutes later; until then a driver does not send
 * one of its kind again. What becomes of it shows in the pictures of the printer, of which the `status_reason` says that it is
 * still to come.
 */
export interface PendingEffect {
  /** Time when it takes effect, a sentence for people: `will pause once heated`. */
  pending: string
}

/** A file on the hub's disk, and the name that it shall have at the printer. */
export interface FileToUpload {
  path: string
  size_bytes: number
  file_name: string
  /** Told, while an upload goes on, how many of its bytes were handed over so far. */
  onSent?(sentBytes: number): void
}

/**
 * One printer. `start` and `stop` are a pair that can be repeated. Nothing that may have been heard is ever sent to the printer
 * twice by a driver: whether to try again is for those to decide who know what a repetition would do.
 */
export interface PrinterDriver {
  readonly capabilities: Capabilities
  /**
   * Begins to watch the printer; resolves as soon as watching has started, whether the printer answers or not, and keeps
   * trying to reach it until `stop`.
   */
  start(signal: AbortSignal): Promise<void>
  /** Frees every timer, socket and listener. */
  stop(): Promise<void>
  /** Each new picture of the printer. The driver leaves `attempt_id` of a run null: it knows nothing of attempts. */
  onState(listener: (state: PrinterState) => void): () => void
  /** Stores a file at the printer, replacing one of that name; removes what a broken upload left. */
  upload(file: FileToUpload, signal: AbortSignal): Promise<void>
  /**
   * Asks the printer once to print a file that it has, and gives its identity of the run where it has one. The answer is not
   * evidence that it prints. A map of its filaments is sent exactly as the command has it, or the start is refused with `NOT_MAPPED`.
   */
  startPrint(fileName: string, print: PrintToStart, signal: AbortSignal): Promise<{ run_id: string | null }>
  /**
   * Asks the printer once; resolves with its answer, which is not evidence of the effect. A driver that knows that the effect
   * has to wait says so within some seconds, because no one waits for longer than `timings.effectTimeoutMs`.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most drivers have nothing to say beyond yes.
  run(command: DeviceCommand, signal: AbortSignal): Promise<PendingEffect | void>
  /** Removes a file that is no longer needed from the printer's store. */
  removeFile(fileName: string, signal: AbortSignal): Promise<void>
  /**
   * One JPEG of what its camera sees now, over one connection that is closed again. Rejects with a `StillError` that says why
   * there is none, or with a `DriverError`.
   */
  takeStill(signal: AbortSignal): Promise<Buffer>
  /** Takes over changed settings while a print goes on; false when that takes a new driver. */
  adopt(settings: PrinterSettings): boolean
}

/** What drivers may reach for. */
export interface DriverContext {
  log: Log
  clock: Clock
  /** The hub's own folder, for what a driver must keep. */
  dataDir: string
  /** Speed of virtual printers when their settings do not say. */
  virtualSpeed: number
  /** Multiplies every wait of a driver: 1 in a farm, less in tests of silence and reconnection. */
  waitFactor: number
  /**
   * Map in which each simulated printer that is on is entered by ID, for those who stand at it. Where it is given, only their hands
   * take prints off simulated plates; else a plate that the service calls clear is taken to be.
   */
  simulatedPrinters?: Map<string, VirtualPrinter>
}
