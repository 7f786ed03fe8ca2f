import type { Context } from '../../../context/context.ts'
import { answerOnceOutside } from '../../../http/idempotency.ts'
import { publicUrl } from '../../../http/public-url.ts'
import { makeTryLimiter } from '../../../http/rate-limit.ts'
import { bodyFailures, envelope, failures, idParams, ok, postFailures } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { personOf } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import { Nothing } from '../sign-in/sign-in.schema.ts'
import { mailResetLink, makeResetLink, resetPassword } from './password-resets.service.ts'
import { ForgotBody, presentResetLink, ResetBody, ResetLink } from './passwords.schema.ts'

/** What one client address may ask for or use per minute. */
const triesPerMinute = 10

/** Mails that strangers can have sent to one address. Each link in them is good for an hour, no matter who asks again. */
const mailsPerMinute = 1
const mailsPerHour = 5

/** Routes for a new password, for a person who does not know the present one. */
export function passwordRoutes(routes: App, context: Context): void {
  const countForgot = makeTryLimiter(context.limits, 'forgot', triesPerMinute)
  const countReset = makeTryLimiter(context.limits, 'reset', triesPerMinute)
  const countMail = makeTryLimiter(context.limits, 'reset-mail', mailsPerMinute)
  const countMailOfHour = makeTryLimiter(context.limits, 'reset-mail-hour', mailsPerHour, 3_600)
  const sending = new Set<Promise<void>>()
  routes.addHook('onClose', async () => {
    await Promise.all(sending)
  })

  /** In the background: nothing about the answer may tell whether the address is known. */
  function mailInBackground(email: string): void {
    const address = email.trim().toLowerCase()
    const sent: Promise<void> = countMail(address)
      .then(() => countMailOfHour(address))
      .then(() => mailResetLink(context, email))
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'RATE_LIMITED') return
        context.log.error({ err: error }, 'a link for a new password was not made')
      })
      .finally(() => sending.delete(sent))
    sending.add(sent)
  }

  routes.post(
    '/password/forgot',
    {
      config: { credential: 'none' },
      onRequest: (incoming) => countForgot(incoming.ip),
      schema: {
        summary: 'Ask for a link to set a new password',
        description: 'Answers the same whether or not the address is known. Nothing is sent unless mail is configured.',
        body: ForgotBody,
        response: { 200: envelope(Nothing), ...failures('ORIGIN_REFUSED', ...bodyFailures) },
      },
    },
    async ({ body }) => {
      mailInBackground(body.email)
      return ok({})
    },
  )

  routes.post(
    '/password/reset',
    {
      config: { credential: 'none' },
      onRequest: (incoming) => countReset(incoming.ip),
      schema: {
        summary: 'Set a new password by a link',
        description: 'The link is used up, and all sessions of the person end.',
        body: ResetBody,
        response: { 200: envelope(Nothing), ...failures('RESET_LINK_INVALID', 'ORIGIN_REFUSED', ...bodyFailures) },
      },
    },
    async ({ body }) => {
      await resetPassword(context, body.token, body.password)
      return ok({})
    },
  )

  routes.post(
    '/members/:id/reset-link',
    {
      config: { scope: 'write', role: 'admin', needsProof: true },
      schema: {
        summary: 'Make a link by which a member sets a new password',
        description: 'It is mailed to the member when mail is configured, else answered.',
        params: idParams('member'),
        response: {
          201: envelope(ResetLink),
          ...failures('NOT_FOUND', 'FORBIDDEN', 'PROOF_REQUIRED', 'MAIL_REFUSED', 'ORIGIN_REFUSED', ...postFailures),
        },
      },
    },
    (incoming, reply) =>
      answerOnceOutside(context, incoming, reply, 201, async () => {
        const { actor, params } = incoming
        return ok(
          presentResetLink(await makeResetLink(context, personOf(actor), params.id, publicUrl(context, incoming))),
        )
      }),
  )
}
