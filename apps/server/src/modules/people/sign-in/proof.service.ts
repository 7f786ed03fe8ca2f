import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import type { Person } from '../../../kernel/actor.ts'
import { validationError } from '../../../kernel/errors.ts'
import { listProofMethods, type ProofMethod, proofLifeMs } from '../proof/proof.ts'
import { checkSecondFactor, hasSecondFactor } from '../second-factor/second-factor.ts'
import { countGuess } from './count-guess.ts'
import { findUser, updateProof } from './sessions.queries.ts'
import { confirmPassword } from './sign-in.service.ts'

export interface Proof {
  /** Null: none counts now. */
  proven_until: string | null
  methods: ProofMethod[]
}

/** Answers how a person can show to be there, and until when it was shown. */
export async function readProof(context: Context, person: Person): Promise<Proof> {
  const methods = await listProofMethods(context, context.db.sql, person.userId)
  return { proven_until: person.provenUntil?.toISOString() ?? null, methods }
}

/**
 * Takes the password or a code of a person who is signed in as a proof. Guesses count as those at sign-in do.
 *
 * @throws AppError `VALIDATION_ERROR`, `CODE_INVALID`, `RATE_LIMITED`
 */
export async function prove(
  context: Context,
  request: FastifyRequest,
  person: Person,
  given: { password?: string; code?: string },
): Promise<Proof> {
  const methods = await listProofMethods(context, context.db.sql, person.userId)
  if (given.password !== undefined) {
    if (!methods.includes('password')) throw validationError({ password: ['you have none'] })
    await confirmPassword(context, request, person, given.password)
    return recordProof(context, person)
  }
  if (given.code === undefined) throw validationError({ _root: ['needs a password or a code'] })
  if (!methods.includes('code')) throw validationError({ code: ['you have no authenticator app'] })
  await checkCode(context, request, person, given.code)
  return recordProof(context, person)
}

async function checkCode(context: Context, request: FastifyRequest, person: Person, code: string): Promise<void> {
  const email = (await findUser(context.db.sql, person.userId))?.email ?? person.userId
  const guesser = { email, address: request.ip, deviceId: person.sessionId }
  await countGuess(context, guesser, ({ isOf }) => {
    isOf(person.userId)
    return context.db.beginFor(person.accountId, async (sql) => {
      if (!(await hasSecondFactor(sql, person.userId)))
        throw validationError({ code: ['you have no authenticator app'] })
      await checkSecondFactor(context, sql, person.userId, code)
    })
  })
}

/** Records that the person of this session has just shown to be there. */
export async function recordProof(context: Context, person: Person): Promise<Proof> {
  const methods = await listProofMethods(context, context.db.sql, person.userId)
  const now = context.clock.now()
  await updateProof(context.db.sql, { account_id: person.accountId, id: person.sessionId }, now)
  return { proven_until: new Date(now.getTime() + proofLifeMs).toISOString(), methods }
}
