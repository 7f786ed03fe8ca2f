import type { Context } from '../../../context/context.ts'
import { readPage } from '../../../http/cursor.ts'
import { answerOnceOutside } from '../../../http/idempotency.ts'
import { publicUrl } from '../../../http/public-url.ts'
import { makeTryLimiter } from '../../../http/rate-limit.ts'
import {
  bodyFailures,
  envelope,
  failures,
  idParams,
  ok,
  page,
  pageEnvelope,
  pageQuery,
  postFailures,
  request,
} from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { personOf } from '../../../kernel/actor.ts'
import { findPersonByEmail } from '../accounts/people.queries.ts'
import { Removed } from '../accounts/removed.schema.ts'
import { giveSession } from '../sign-in/sessions.service.ts'
import { Session } from '../sign-in/sign-in.schema.ts'
import { acceptInvitation, canChoosePassword } from './accept-invitation.ts'
import { listInvitations } from './invitations.queries.ts'
import {
  AcceptBody,
  Invitation,
  InvitationBody,
  InvitationLook,
  NewInvitation,
  presentInvitation,
  presentLook,
  presentMadeInvitation,
  TokenBody,
} from './invitations.schema.ts'
import { getInvitationByToken, makeInvitation, withdraw } from './invitations.service.ts'

/** Links that one client address may look at or accept per minute. No one guesses 256 bits; this spares the database. */
const triesPerMinute = 30

/** Invitations that one account may make per minute, each of which may be a mail to a stranger. */
const invitationsPerMinute = 60

export function invitationRoutes(routes: App, context: Context): void {
  const countInvitation = makeTryLimiter(context.limits, 'invite', invitationsPerMinute)
  const countTry = makeTryLimiter(context.limits, 'invitation', triesPerMinute)

  routes.get(
    '/invitations',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'List the open invitations, the newest first',
        querystring: request(pageQuery),
        response: { 200: pageEnvelope(Invitation), ...failures('FORBIDDEN') },
      },
    },
    async (incoming) => {
      const { rows, meta } = await readPage(context, incoming, (bounds) =>
        listInvitations(context.db.sql, incoming.actor.accountId, bounds),
      )
      return page(rows.map(presentInvitation), meta)
    },
  )

  routes.post(
    '/invitations',
    {
      // Who comes in by it stays when the session is over.
      config: { scope: 'write', role: 'admin', needsProof: true },
      schema: {
        summary: 'Invite a person to the account',
        description: 'The link is mailed when mail is configured, else answered. Inviting again replaces it.',
        body: InvitationBody,
        response: {
          201: envelope(NewInvitation),
          ...failures(
            'FORBIDDEN',
            'PROOF_REQUIRED',
            'ORIGIN_REFUSED',
            'ALREADY_EXISTS',
            'QUOTA_EXCEEDED',
            ...postFailures,
          ),
        },
      },
    },
    (incoming, reply) =>
      answerOnceOutside(context, incoming, reply, 201, async () => {
        const { actor, body } = incoming
        await countInvitation(actor.accountId)
        return ok(
          presentMadeInvitation(await makeInvitation(context, personOf(actor), body, publicUrl(context, incoming))),
        )
      }),
  )

  routes.delete(
    '/invitations/:id',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Withdraw an invitation',
        params: idParams('invitation'),
        response: { 200: envelope(Removed), ...failures('NOT_FOUND', 'FORBIDDEN', 'PROOF_REQUIRED', 'ORIGIN_REFUSED') },
      },
    },
    async ({ actor, params }) => {
      await withdraw(context, personOf(actor), params.id)
      return ok({ id: params.id, deleted: true })
    },
  )

  routes.post(
    '/invitations/look',
    {
      config: { credential: 'none' },
      onRequest: (incoming) => countTry(incoming.ip),
      schema: {
        summary: 'Get the invitation of a link',
        body: TokenBody,
        response: {
          200: envelope(InvitationLook),
          ...failures('INVITATION_INVALID', 'ORIGIN_REFUSED', ...bodyFailures),
        },
      },
    },
    async ({ body }) => {
      const invitation = await getInvitationByToken(context, body.token)
      const known = await findPersonByEmail(context.db.sql, invitation.email)
      return ok(presentLook(invitation, !canChoosePassword(known, invitation)))
    },
  )

  routes.post(
    '/invitations/accept',
    {
      config: { credential: 'none' },
      onRequest: (incoming) => countTry(incoming.ip),
      schema: {
        summary: 'Accept an invitation and sign in',
        body: AcceptBody,
        response: {
          200: envelope(Session),
          ...failures(
            'INVITATION_INVALID',
            'INVALID_CREDENTIALS',
            'CODE_REQUIRED',
            'CODE_INVALID',
            'ORIGIN_REFUSED',
            ...bodyFailures,
          ),
        },
      },
    },
    async (incoming, reply) => {
      const { session, isFirst } = await acceptInvitation(context, incoming, incoming.body)
      return ok(await giveSession(context, incoming, reply, session, { isFirst }))
    },
  )
}
