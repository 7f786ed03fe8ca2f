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
        summary: 'What every printer prints, holds and would print next',
        description: 'Of all printers at once. What they do at this moment stands under `/printers/live`.',
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
        summary: 'What a person can do so that waiting jobs start on idle printers',
        description: 'Of the first 100 jobs in the queue. Only what is the one thing in the way is told.',
        response: {
          200: envelope(Type.Array(WaitingGroup, { description: 'That which most jobs wait for first' })),
          ...failures(),
        },
      },
    },
    async ({ actor }) => ok((await groupByRemedy(context, actor.accountId)).map(presentWaitingGroup)),
  )
}
