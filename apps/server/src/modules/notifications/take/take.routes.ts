import Type from 'typebox'
import type { Context } from '../../../context/context.ts'
import { makeTryLimiter } from '../../../http/rate-limit.ts'
import { bodyFailures, envelope, failures, ok, request, resource, text } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { lookAtLink, takeTask } from './take-task.ts'

/** Links that one client address may look at or use per minute. */
const triesPerMinute = 30

const TakeBody = request({ token: text(1, 300, 'Token after the # of the link') })

const OfferedTask = resource('OfferedTask', 'The task that a link is about', {
  title: Type.String({ description: 'Title of the task', examples: ['Look at Prusa 1: it reports an error'] }),
  person_name: Type.String({ description: 'Name of the person who takes it', examples: ['Kim'] }),
})

/** The links by which the reader of a message takes its task. Opening one takes nothing: a page asks first. */
export function takeRoutes(routes: App, context: Context): void {
  const countTry = makeTryLimiter(context.limits, 'take', triesPerMinute)

  routes.post(
    '/task-links/look',
    {
      config: { credential: 'none' },
      onRequest: (incoming) => countTry(incoming.ip),
      schema: {
        summary: 'Get the task of a link',
        body: TakeBody,
        response: {
          200: envelope(OfferedTask),
          ...failures('TASK_LINK_INVALID', 'NOT_FOUND', 'ORIGIN_REFUSED', ...bodyFailures),
        },
      },
    },
    async ({ body }) => ok(await lookAtLink(context, body.token)),
  )

  routes.post(
    '/task-links/take',
    {
      config: { credential: 'none' },
      onRequest: (incoming) => countTry(incoming.ip),
      schema: {
        summary: 'Take the task of a link',
        body: TakeBody,
        response: {
          200: envelope(OfferedTask),
          ...failures(
            'TASK_LINK_INVALID',
            'TASK_TAKEN',
            'TASK_ALREADY_COMPLETED',
            'NOT_FOUND',
            'ORIGIN_REFUSED',
            ...bodyFailures,
          ),
        },
      },
    },
    async ({ body }) => ok(await takeTask(context, body.token)),
  )
}
