import Type from 'typebox'
import type { Context } from '../../../context/context.ts'
import { answerOnce, answerOncePrepared } from '../../../http/idempotency.ts'
import { envelope, failures, ok, postFailures, request, resource, text } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { type Person, personOf } from '../../../kernel/actor.ts'
import type { SecurityChange } from '../mail/messages.ts'
import { mailPerson } from './security-mails.ts'
import { Nothing } from './sign-in.schema.ts'
import { signInThrottle } from './sign-in-throttle.ts'
import { beginTotp, confirmTotp, removeTotp, renewBackupCodes } from './totp.service.ts'

/** Everybody may, whatever their role, when they have lately shown to be there. */
const proven = { scope: 'read', role: 'viewer', tagged: false, beforeSecondFactor: true, needsProof: true } as const

const CodeBody = request({ code: text(1, 100, 'Code that the app shows now') })

const BegunTotp = resource('BegunTotp', 'Secret for an authenticator app', {
  secret: Type.String({ description: 'Secret to type into the app', examples: ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'] }),
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
  const tell = (person: Person, change: SecurityChange) => mailPerson(context, person.userId, change)

  routes.post(
    '/totp',
    {
      config: proven,
      schema: {
        summary: 'Start adding an authenticator app',
        description: 'Nothing changes until a code of it is confirmed.',
        response: {
          200: envelope(BegunTotp),
          ...failures('ALREADY_EXISTS', 'PROOF_REQUIRED', 'ORIGIN_REFUSED', ...postFailures),
        },
      },
    },
    (incoming, reply) =>
      answerOnce(context, incoming, reply, 200, async (sql) =>
        ok(await beginTotp(context, sql, personOf(incoming.actor))),
      ),
  )

  routes.post(
    '/totp/confirm',
    {
      config: proven,
      schema: {
        summary: 'Confirm the authenticator app by a code of it',
        description: 'From now on signing in takes a code. Everywhere else the person is signed out.',
        body: CodeBody,
        response: {
          200: envelope(BackupCodes),
          ...failures(
            'NOT_FOUND',
            'ALREADY_EXISTS',
            'CODE_INVALID',
            'PROOF_REQUIRED',
            'ORIGIN_REFUSED',
            ...postFailures,
          ),
        },
      },
    },
    async (incoming, reply) => {
      const person = personOf(incoming.actor)
      let isDone = false
      await answerOncePrepared(
        context,
        incoming,
        reply,
        200,
        // By the person: the address is for guesses of their password.
        () => signInThrottle(context).begin(person.userId, incoming.ip, { deviceId: person.sessionId }),
        async (sql, guess) => {
          const backup_codes = await confirmTotp(context, sql, person, incoming.body.code)
          await guess.wasRight()
          isDone = true
          return ok({ backup_codes })
        },
      )
      if (isDone) await tell(person, 'app_added')
    },
  )

  routes.post(
    '/totp/remove',
    {
      config: proven,
      schema: {
        summary: 'Stop using the authenticator app',
        response: {
          200: envelope(Nothing),
          ...failures('NOT_FOUND', 'PROOF_REQUIRED', 'ORIGIN_REFUSED', ...postFailures),
        },
      },
    },
    async (incoming, reply) => {
      const person = personOf(incoming.actor)
      let isDone = false
      await answerOnce(context, incoming, reply, 200, async (sql) => {
        await removeTotp(sql, person)
        isDone = true
        return ok({})
      })
      if (isDone) await tell(person, 'app_removed')
    },
  )

  routes.post(
    '/totp/backup-codes',
    {
      config: proven,
      schema: {
        summary: 'Make new backup codes',
        response: {
          200: envelope(BackupCodes),
          ...failures('NOT_FOUND', 'PROOF_REQUIRED', 'ORIGIN_REFUSED', ...postFailures),
        },
      },
    },
    async (incoming, reply) => {
      const person = personOf(incoming.actor)
      let isDone = false
      await answerOnce(context, incoming, reply, 200, async (sql) => {
        const backup_codes = await renewBackupCodes(context, sql, person)
        isDone = true
        return ok({ backup_codes })
      })
      if (isDone) await tell(person, 'backup_codes_renewed')
    },
  )
}
