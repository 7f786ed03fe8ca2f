import type { Context } from '../../../context/context.ts'
import type { App } from '../../../http/types.ts'
import { queueJobRoutes } from './queue-jobs.routes.ts'
import { readJobRoutes } from './read-jobs.routes.ts'
import { runJobRoutes } from './run-jobs.routes.ts'
import { settleJobRoutes } from './settle-jobs.routes.ts'

export function jobRoutes(app: App, context: Context): void {
  readJobRoutes(app, context)
  queueJobRoutes(app, context)
  runJobRoutes(app, context)
  settleJobRoutes(app, context)
}
