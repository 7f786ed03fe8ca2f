import { type Fault, type VirtualPrinter, VirtualPrinterError } from '@printyard/virtual-printers/virtual-printer'
import { type DeviceEvent, isDeviceBusy } from './device-log.ts'

/** What a person does who stands before a printer, or what befalls the machine itself. */
export type HandDeed =
  | { deed: 'look' }
  | { deed: 'start'; fileName: string; printSeconds: number }
  | { deed: 'take_off' }
  | { deed: 'acknowledge' }
  | { deed: 'restart'; offMs: number }
  | { deed: 'set_faults'; faults: readonly Fault[] }

/** What one sees before the machine after a deed. */
export interface HandSight {
  /** False when the machine did not let it be done. */
  isDone: boolean
  isBusy: boolean
  hasFault: boolean
  plate: readonly { fileName: string }[]
  events: readonly DeviceEvent[]
}

/** Does something at a simulated printer that is on, without the hub or the service. */
export function useHands(printer: VirtualPrinter, deed: HandDeed): HandSight {
  let isDone = true
  try {
    carryOut(printer, deed)
  } catch (error) {
    if (!(error instanceof VirtualPrinterError)) throw error
    isDone = false
  }
  const { events, plate } = printer
  return { isDone, isBusy: isDeviceBusy(events), hasFault: printer.report().activity === 'fault', plate, events }
}

function carryOut(printer: VirtualPrinter, deed: HandDeed): void {
  switch (deed.deed) {
    case 'look':
      break
    case 'start':
      // Without heat, so that it begins at once and a short one ends before anyone looks.
      printer.startByHand(deed.fileName, {
        printTimeSeconds: deed.printSeconds,
        layerCount: 1,
        nozzleTemp: 0,
        bedTemp: 0,
      })
      break
    case 'take_off':
      printer.takePrintOff()
      break
    case 'acknowledge':
      printer.acknowledgeFault()
      break
    case 'restart':
      printer.restart({ offMs: deed.offMs })
      break
    case 'set_faults':
      printer.setFaults(deed.faults)
  }
}
