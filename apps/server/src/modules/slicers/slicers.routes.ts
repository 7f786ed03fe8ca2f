import type { Context } from '../../context/context.ts'
import type { App } from '../../http/types.ts'
import { createPrintFileReader } from '../files/print-file-reader.ts'
import { moonrakerDoor } from './moonraker-door.ts'
import { octoPrintDoor } from './octoprint-door.ts'
import { prusaLinkDoor } from './prusalink-door.ts'
import { openDoor } from './slicer-door.ts'

/**
 * Routes for what slicers send files by, so that a slicer needs nothing but an address and an API key: three doors, named for the
 * programs that slicers know, to the same rules.
 */
export function slicerRoutes(app: App, context: Context): void {
  const reader = createPrintFileReader()
  app.addHook('onClose', () => reader.close())
  for (const door of [octoPrintDoor, prusaLinkDoor, moonrakerDoor]) openDoor(app, context, reader, door)
}
