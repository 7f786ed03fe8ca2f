import type { Context } from '../../../context/context.ts'
import type { App } from '../../../http/types.ts'
import { createPrintFileReader } from '../print-file-reader.ts'
import { addFileRoutes } from './add-file.routes.ts'
import { changeFileRoutes } from './change-files.routes.ts'
import { fileContentRoutes } from './file-content.routes.ts'
import { fileVersionRoutes } from './file-versions.routes.ts'
import { readFileRoutes } from './read-files.routes.ts'
import { uploadRoutes } from './uploads.routes.ts'

export function fileRoutes(app: App, context: Context): void {
  const reader = createPrintFileReader()
  app.addHook('onClose', () => reader.close())

  uploadRoutes(app, context)
  addFileRoutes(app, context, reader)
  readFileRoutes(app, context)
  changeFileRoutes(app, context)
  fileVersionRoutes(app, context, reader)
  fileContentRoutes(app, context)
}
