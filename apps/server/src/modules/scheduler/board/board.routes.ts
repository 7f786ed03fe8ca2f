import Type from 'typebox'
import type { Context } from '../../../context/context.ts'
import { envelope, failures, ok } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { BoardPrinter, presentBoardPlace, presentWaitingGroup, WaitingGroup } from './board.schema.ts'
import { groupByRemedy, readBoard } from './board.service.ts'

/** Routes for what the dashboard shows of the whole farm at once. */
export function boardRoutes(app: App, context: Context): void {
  app.get(
    '/printers/board',
    {
      config: { scope: 'read' },
      schema: {
        summary: 'List the current job, the next job and the slots of every printer',
        description: 'All printers at once. Their current status stands under `/printers/live`.',
        response: {
          200: envelope(Type.Array(BoardPrinter, { description: 'Every printer of the account' })),
          ...failures(),
        },
      },
    },
    async ({ actor }) => ok((await readBoard(context, actor.accountId)).map(presentBoardPlace)),
  )

  app.get(
    '/jobs/queue/remedies',
    {
      config: { scope: 'read' },
      schema: {
        summary: 'List actions of a person by which waiting jobs start on idle printers',
        description: 'Reads the first 100 jobs in the queue. Tells only what alone is in the way.',
        response: {
          200: envelope(Type.Array(WaitingGroup, { description: 'Groups, the one with the most jobs first' })),
          ...failures(),
        },
      },
    },
    async ({ actor }) => ok((await groupByRemedy(context, actor.accountId)).map(presentWaitingGroup)),
  )
}
