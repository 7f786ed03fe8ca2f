import { JOIN_PATH } from '@printyard/protocol/version'
import type { Context } from '../../context/context.ts'
import { bodyFailures, envelope, failures, ok } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { JoinBody, JoinedHub } from './hubs.schema.ts'
import { joinHub } from './hubs.service.ts'
import { makeJoinLimiter } from './join-limit.ts'

/** Route by which a machine that has only a join code becomes a hub. */
export function joinRoutes(routes: App, context: Context): void {
  const countTry = makeJoinLimiter(context.limits)

  routes.post(
    JOIN_PATH,
    {
      config: { credential: 'none' },
      onRequest: (request) => countTry(request.ip),
      schema: {
        tags: ['Hubs'],
        summary: 'Join as a hub',
        description: 'Swaps a join code for the token of the hub. A machine that joined before is put out.',
        body: JoinBody,
        response: {
          200: envelope(JoinedHub),
          ...failures('JOIN_CODE_INVALID', ...bodyFailures),
        },
      },
    },
    async ({ body }) => ok(await joinHub(context, body)),
  )
}
