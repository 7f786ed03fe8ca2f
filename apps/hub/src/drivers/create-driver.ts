import type { PrinterSettings } from '@printyard/protocol/messages'
import { type DriverContext, DriverError, type PrinterDriver } from './driver.ts'

/**
 * Loads the driver of the printer's connection type; only those in use take memory. Rejects with a `DriverError`
 * `NOT_SUPPORTED` for a type that this version of the hub cannot speak.
 */
export async function createDriver(settings: PrinterSettings, context: DriverContext): Promise<PrinterDriver> {
  switch (settings.connection_type) {
    case 'virtual': {
      const { createVirtualDriver } = await import('./virtual/virtual.driver.ts')
      return createVirtualDriver(settings, context)
    }
    case 'octoprint': {
      const { createOctoPrintDriver } = await import('./octoprint/octoprint.driver.ts')
      return createOctoPrintDriver(settings, context)
    }
    case 'moonraker': {
      const { createMoonrakerDriver } = await import('./moonraker/moonraker.driver.ts')
      return createMoonrakerDriver(settings, context)
    }
    case 'prusalink': {
      const { createPrusaLinkDriver } = await import('./prusalink/prusalink.driver.ts')
      return createPrusaLinkDriver(settings, context)
    }
    case 'bambu': {
      const { createBambuDriver } = await import('./bambu/bambu.driver.ts')
      return createBambuDriver(settings, context)
    }
    case 'creality': {
      const { createCrealityDriver } = await import('./creality/creality.driver.ts')
      return createCrealityDriver(settings, context)
    }
    case 'elegoo': {
      const { createElegooDriver } = await import('./elegoo/elegoo.driver.ts')
      return createElegooDriver(settings, context)
    }
    default:
      throw new DriverError(
        'NOT_SUPPORTED',
        `connection type ${settings.connection_type} is not supported by this hub version`,
      )
  }
}
