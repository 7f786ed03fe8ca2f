import type { PrinterState } from '@printyard/protocol/printer-state'
import type { PrinterDriver } from '../../drivers/driver.ts'
import type { Waiter } from '../../util/waiter.ts'

/** What an attempt needs of its printer; the driver may change under it when the settings do. */
export interface AttemptPrinter {
  /** Undefined while the hub has no driver for the printer. */
  findDriver(): PrinterDriver | undefined
  getState(): PrinterState
  waiter: Waiter<PrinterState>
}
