import type { Context } from '../../../context/context.ts'
import { makeTryLimiter } from '../../../http/rate-limit.ts'
import { bodyFailures, envelope, failures, ok } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { every } from '../../../kernel/timers.ts'
import { finishMails } from '../mail/mail-later.ts'
import { failedSignIns } from './failed-sign-ins.ts'
import { giveSession } from './sessions.service.ts'
import { lookAtSetUp, setUp } from './set-up.service.ts'
import { Session, SetUpBody, SetUpState, SignInBody } from './sign-in.schema.ts'
import { signIn } from './sign-in.service.ts'

/** Tries to set up that one client may make per minute; the code has 39 bits. */
const setUpsPerMinute = 10

/** Interval at which it is looked whether failed sign-ins wait to be recorded. */
const sweepEveryMs = 60_000

/** The ways in, for those who have no session yet. */
export function signInRoutes(app: App, context: Context): void {
  const countSetUp = makeTryLimiter(context.limits, 'set-up', setUpsPerMinute)
  const failed = failedSignIns(context)
  const stopSweeping = every(sweepEveryMs, 'failed sign-ins', context.log, () => failed.sweep())
  app.addHook('onClose', async () => {
    stopSweeping()
    await failed.close()
    await finishMails(context)
  })

  app.get(
    '/setup',
    {
      config: { credential: 'none' },
      schema: {
        summary: 'Get whether the service waits for its first person',
        response: { 200: envelope(SetUpState), ...failures() },
      },
    },
    async () => ok(await lookAtSetUp(context)),
  )

  app.post(
    '/setup',
    {
      config: { credential: 'none' },
      onRequest: (request) => countSetUp(request.ip),
      schema: {
        summary: 'Make the first person and their account, and sign them in',
        body: SetUpBody,
        response: {
          201: envelope(Session),
          ...failures('ALREADY_SET_UP', 'SETUP_CODE_INVALID', 'ORIGIN_REFUSED', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const session = await setUp(context, request, request.body)
      reply.code(201)
      return ok(await giveSession(context, request, reply, session, { isFirst: true }))
    },
  )

  app.post(
    '/sign-in',
    {
      config: { credential: 'none' },
      schema: {
        summary: 'Sign in',
        body: SignInBody,
        response: {
          200: envelope(Session),
          ...failures(
            'INVALID_CREDENTIALS',
            'CODE_REQUIRED',
            'CODE_INVALID',
            'FORBIDDEN',
            'ORIGIN_REFUSED',
            ...bodyFailures,
          ),
        },
      },
    },
    async (request, reply) => {
      const session = await signIn(context, request, request.body)
      return ok(await giveSession(context, request, reply, session))
    },
  )
}
