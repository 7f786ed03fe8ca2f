import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Context } from '../../../context/context.ts'
import { answerOncePrepared } from '../../../http/idempotency.ts'
import { envelope, failures, ok, postFailures, request, resource, text } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { personOf } from '../../../kernel/actor.ts'
import { Nothing, passwordText } from './sign-in.schema.ts'
import { confirmPassword } from './sign-in.service.ts'
import { signInThrottle } from './sign-in-throttle.ts'
import { beginTotp, confirmTotp, removeTotp, renewBackupCodes } from './totp.service.ts'

const everybody = { scope: 'read', role: 'viewer', tagged: false } as const

const PasswordAgain = request({
  password: Type.Optional(passwordText('The present one; leave it out without a password')),
})
const CodeBody = request({ code: text(1, 100, 'What the app shows now') })

const BegunTotp = resource('BegunTotp', 'What an authenticator app is told', {
  secret: Type.String({ description: 'To type into the app', examples: ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'] }),
  otpauth_url: Type.String({
    description: 'The same as the content of a QR code',
    examples: ['otpauth://totp/Printyard:owner%40example.com?issuer=Printyard&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
  }),
})

const BackupCodes = resource('BackupCodes', 'Backup codes for a lost app, shown only here', {
  backup_codes: Type.Array(Type.String({ description: 'Good for signing in once', examples: ['k7m2e-8h5t9'] }), {
    description: 'Ten codes; those of before work no more',
  }),
})

/** The second factor of the person who is signed in. */
export function totpRoutes(routes: App, context: Context): void {
  const showPassword = (incoming: FastifyRequest<{ Body: { password?: string } }>) =>
    confirmPassword(context, incoming, personOf(incoming.actor), incoming.body.password)

  routes.post(
    '/totp',
    {
      config: everybody,
      schema: {
        summary: 'Begin to use an authenticator app',
        description: 'Nothing changes until a code of it is confirmed.',
        body: PasswordAgain,
        response: { 200: envelope(BegunTotp), ...failures('ALREADY_EXISTS', 'ORIGIN_REFUSED', ...postFailures) },
      },
    },
    (incoming, reply) =>
      answerOncePrepared(
        context,
        incoming,
        reply,
        200,
        () => showPassword(incoming),
        async (sql) => ok(await beginTotp(context, sql, personOf(incoming.actor))),
      ),
  )

  routes.post(
    '/totp/confirm',
    {
      config: everybody,
      schema: {
        summary: 'Confirm the authenticator app by a code of it',
        description: 'From now on signing in takes a code.',
        body: CodeBody,
        response: {
          200: envelope(BackupCodes),
          ...failures('NOT_FOUND', 'ALREADY_EXISTS', 'CODE_INVALID', 'ORIGIN_REFUSED', ...postFailures),
        },
      },
    },
    (incoming, reply) => {
      const person = personOf(incoming.actor)
      return answerOncePrepared(
        context,
        incoming,
        reply,
        200,
        // By the person: the address is for guesses of their password.
        () => signInThrottle(context).begin(person.userId, incoming.ip),
        async (sql, guess) => {
          const backup_codes = await confirmTotp(context, sql, person, incoming.body.code)
          await guess.wasRight()
          return ok({ backup_codes })
        },
      )
    },
  )

  // No DELETE: that takes no body, and the password belongs into no address.
  routes.post(
    '/totp/remove',
    {
      config: everybody,
      schema: {
        summary: 'Stop using the authenticator app',
        body: PasswordAgain,
        response: { 200: envelope(Nothing), ...failures('NOT_FOUND', 'ORIGIN_REFUSED', ...postFailures) },
      },
    },
    (incoming, reply) =>
      answerOncePrepared(
        context,
        incoming,
        reply,
        200,
        () => showPassword(incoming),
        async (sql) => {
          await removeTotp(sql, personOf(incoming.actor))
          return ok({})
        },
      ),
  )

  routes.post(
    '/totp/backup-codes',
    {
      config: everybody,
      schema: {
        summary: 'Make new backup codes',
        body: PasswordAgain,
        response: { 200: envelope(BackupCodes), ...failures('NOT_FOUND', 'ORIGIN_REFUSED', ...postFailures) },
      },
    },
    (incoming, reply) =>
      answerOncePrepared(
        context,
        incoming,
        reply,
        200,
        () => showPassword(incoming),
        async (sql) => ok({ backup_codes: await renewBackupCodes(context, sql, personOf(incoming.actor)) }),
      ),
  )
}
