import { isIP } from 'node:net'
import type { HubMessageBody, PrinterSettings } from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import type { ProbeAnswer } from '../drivers/probe-printer.ts'
import { hostOf } from '../drivers/wire/knock.ts'
import { printerAddress } from '../drivers/wire/printer-http.ts'
import { textIn } from '../drivers/wire/wire-values.ts'
import type { Clock } from '../util/clock.ts'
import type { Log } from '../util/log.ts'
import type { Sighting } from './sighting.ts'

/** The same printer at the same address is not tried more often: a wrong guess must not lock us out. */
const TRY_AGAIN_MS = 60_000

interface MovedPrintersDeps {
  /** The printers that this hub runs now. */
  printers(): readonly PrinterSettings[]
  stateOf(printerId: string): Pick<PrinterState, 'status'> | undefined
  /** Tries the connection at the new address, with the printer's own credentials and certificate. */
  probe(settings: PrinterSettings, connection: Record<string, unknown>): Promise<ProbeAnswer>
  tell(moved: HubMessageBody<'printer_moved'>): void
  clock: Clock
  log: Log
}

/** Follows printers whose address changed, by their serial numbers alone. */
export interface MovedPrinters {
  /** Resolves when the sighting was judged; what came of it is told to the service. */
  consider(sighting: Sighting): Promise<void>
}

/**
 * A printer is followed only when it does not answer where it was, the serial number seen elsewhere is its own, and a
 * connection to there works with its credentials and shows that serial number again. A name never counts: anybody can have
 * any. One whose certificate is not looked at is not followed, since nothing would show who takes its access code.
 */
export function createMovedPrinters({ printers, stateOf, probe, tell, clock, log }: MovedPrintersDeps): MovedPrinters {
  const triedAtMs = new Map<string, number>()

  return {
    async consider({ connection_type, serial, address, evidence }) {
      if (serial === null) return
      const settings = printers().find(
        (one) => one.connection_type === connection_type && serialOf(one)?.toUpperCase() === serial.toUpperCase(),
      )
      if (!settings || stateOf(settings.printer_id)?.status !== 'offline') return
      if (settings.connection.allow_any_certificate === true) return
      const before = numericHost(settings.connection)
      if (before === undefined || before === address) return
      const key = `${settings.printer_id} ${address}`
      const now = clock()
      for (const [old, at] of triedAtMs) if (now - at >= TRY_AGAIN_MS) triedAtMs.delete(old)
      if (triedAtMs.has(key)) return
      triedAtMs.set(key, now)
      const typed = String(settings.connection.address)
      const { printer, problem } = await probe(settings, {
        ...settings.connection,
        address: typed.replace(before, address.includes(':') ? `[${address}]` : address),
      })
      const isSame = printer.serial?.toUpperCase() === serial.toUpperCase()
      if (problem !== null || !isSame) {
        const reason = problem?.reason ?? 'serial_differs'
        return log.warn('a printer was seen elsewhere and is not followed', {
          printer_id: settings.printer_id,
          address,
          reason,
        })
      }
      tell({ printer_id: settings.printer_id, serial, old_address: before, address, evidence })
    },
  }
}

/** The serial number as its driver reads it from the settings. */
function serialOf({ connection }: Pick<PrinterSettings, 'connection'>): string | null {
  return textIn(connection.serial, 128) ?? textIn(connection.mainboard_id, 128)
}

/** The IPv4 address that was typed; a name is followed by anyone who keeps the names. */
function numericHost(connection: Record<string, unknown>): string | undefined {
  try {
    const host = hostOf(printerAddress(connection, 80))
    return isIP(host) === 4 && String(connection.address).includes(host) ? host : undefined
  } catch {
    // Settings that cannot be understood are the driver's to complain about.
    return undefined
  }
}
