import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import type { PasskeyRow } from '../../../db/rows.generated.ts'
import { AppError, notFound, validationError } from '../../../kernel/errors.ts'
import { newId, type PasskeyId, type UserId } from '../../../kernel/ids.ts'
import { recordUserEvent } from '../accounts/user-events.ts'
import {
  type ChallengePurpose,
  deletePasskey,
  findPasskeyByCredential,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  recordPasskeyUse,
  renamePasskey,
  takeChallenge,
} from './passkeys.queries.ts'
import type { RelyingParty } from './relying-party.ts'

/** A person has this long to answer what their authenticator asks. */
const challengeLifeMs = 5 * 60 * 1000

/** More than this no one needs, and each is offered to the browser. */
const mostPasskeys = 20

type Deps = Pick<Context, 'clock' | 'log'>

/** Loaded when a passkey is first used: most runs of the service need it late or never. */
const loadLibrary = () => import('@simplewebauthn/server')

/**
 * Answers what the browser is asked in order to make a passkey.
 *
 * @throws AppError `RESOURCE_IN_USE` when the person has as many as one may have
 */
export async function beginPasskey(
  { clock }: Pick<Deps, 'clock'>,
  sql: Sql,
  party: RelyingParty,
  user: { id: UserId; email: string; name: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const present = await listPasskeys(sql, user.id)
  if (present.length >= mostPasskeys) {
    throw validationError({ _root: [`there are ${mostPasskeys} passkeys already; remove one first`] })
  }
  const { generateRegistrationOptions } = await loadLibrary()
  const options = await generateRegistrationOptions({
    rpName: 'Printyard',
    rpID: party.id,
    userID: Uint8Array.from(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    timeout: challengeLifeMs,
    attestationType: 'none',
    excludeCredentials: present.map(toCredential),
    // Found by the authenticator itself, and only for who unlocks it: it is the password and the second factor in one.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await storeChallenge({ clock }, sql, options.challenge, 'register', user.id)
  return options
}

/**
 * Keeps the passkey that a browser made.
 *
 * @throws AppError `PASSKEY_INVALID`, `ALREADY_EXISTS`
 */
export async function addPasskey(
  deps: Deps,
  sql: Sql,
  party: RelyingParty,
  person: { userId: UserId; label: string },
  { name, response }: { name: string; response: RegistrationResponseJSON },
): Promise<PasskeyRow> {
  const now = deps.clock.now()
  await spendChallenge(deps, sql, response, 'register', person.userId)
  const { verifyRegistrationResponse } = await loadLibrary()
  const verified = await orInvalid(deps, () =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: challengeOf(response) ?? '',
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    }),
  )
  if (!verified.verified) throw new AppError('PASSKEY_INVALID')
  const { credential } = verified.registrationInfo
  const passkey = {
    id: newId('passkey', now.getTime()),
    user_id: person.userId,
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    sign_count: credential.counter,
    transports: credential.transports ?? [],
    name: name.trim() === '' ? 'Passkey' : name.trim(),
    created_at: now,
  }
  if (!(await insertPasskey(sql, passkey))) throw new AppError('ALREADY_EXISTS', { resource: 'passkey of this device' })
  const { id: passkey_id } = passkey
  await recordUserEvent(sql, person.userId, { type: 'user.passkey_added', data: { passkey_id }, actor: person.label })
  return { ...passkey, last_used_at: null }
}

/**
 * Answers what the browser is asked in order to use a passkey: one of the person who is signed in, or any that it has for this service.
 */
export async function beginAssertion(
  { clock }: Pick<Deps, 'clock'>,
  sql: Sql,
  party: RelyingParty,
  purpose: 'sign_in' | 'prove',
  userId: UserId | null,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const own = userId === null ? [] : await listPasskeys(sql, userId)
  const { generateAuthenticationOptions } = await loadLibrary()
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    timeout: challengeLifeMs,
    userVerification: 'required',
    allowCredentials: own.map(toCredential),
  })
  await storeChallenge({ clock }, sql, options.challenge, purpose, userId)
  return options
}

/**
 * Answers whose passkey has answered a challenge that was spent; that of this person, if one is given. Call it in the transaction of
 * what it lets in.
 *
 * @throws AppError `PASSKEY_INVALID`
 */
export async function checkAssertion(
  deps: Deps,
  sql: Sql,
  party: RelyingParty,
  userId: UserId | null,
  response: AuthenticationResponseJSON,
): Promise<UserId> {
  const passkey = await findPasskeyByCredential(sql, response.id)
  if (!passkey || (userId !== null && passkey.user_id !== userId)) throw new AppError('PASSKEY_INVALID')
  const { verifyAuthenticationResponse } = await loadLibrary()
  const { verified, authenticationInfo } = await orInvalid(deps, () =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challengeOf(response) ?? '',
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: Uint8Array.from(passkey.public_key),
        counter: passkey.sign_count,
      },
    }),
  )
  if (!verified) throw new AppError('PASSKEY_INVALID')
  if (!(await recordPasskeyUse(sql, passkey, authenticationInfo.newCounter, deps.clock.now()))) {
    throw new AppError('PASSKEY_INVALID')
  }
  return passkey.user_id
}

/**
 * Uses the challenge of an answer up, whatever the answer is worth: call it outside of the transaction of what is let in.
 *
 * @throws AppError `PASSKEY_INVALID`
 */
export async function spendChallenge(
  { clock }: Pick<Deps, 'clock'>,
  sql: Sql,
  response: { response: { clientDataJSON: string } },
  purpose: ChallengePurpose,
  userId: UserId | null,
): Promise<void> {
  const challenge = challengeOf(response)
  const isOpen = challenge !== undefined && (await takeChallenge(sql, challenge, purpose, userId, clock.now()))
  if (!isOpen) throw new AppError('PASSKEY_INVALID')
}

/** @throws AppError `NOT_FOUND` */
export async function changePasskeyName(sql: Sql, userId: UserId, id: PasskeyId, name: string): Promise<PasskeyRow> {
  const passkey = await renamePasskey(sql, userId, id, name.trim())
  if (!passkey) throw notFound('passkey')
  return passkey
}

/** @throws AppError `NOT_FOUND` */
export async function removePasskey(sql: Sql, person: { userId: UserId; label: string }, id: PasskeyId): Promise<void> {
  if ((await deletePasskey(sql, person.userId, id)) === undefined) throw notFound('passkey')
  const data = { passkey_id: id }
  await recordUserEvent(sql, person.userId, { type: 'user.passkey_removed', data, actor: person.label })
}

function toCredential({ credential_id, transports }: PasskeyRow) {
  return { id: credential_id, transports }
}

async function storeChallenge(
  { clock }: Pick<Deps, 'clock'>,
  sql: Sql,
  challenge: string,
  purpose: ChallengePurpose,
  userId: UserId | null,
): Promise<void> {
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + challengeLifeMs)
  await insertChallenge(sql, { challenge, purpose, user_id: userId, expires_at: expiresAt }, now)
}

/** Answers which challenge the browser says to have answered; undefined for what is none of its words. */
function challengeOf({ response }: { response: { clientDataJSON: string } }): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'))
    const challenge = (data as { challenge?: unknown } | null)?.challenge
    return typeof challenge === 'string' ? challenge : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The library throws for whatever is wrong with an answer. */
async function orInvalid<T>({ log }: Pick<Deps, 'log'>, verify: () => Promise<T>): Promise<T> {
  try {
    return await verify()
  } catch (error) {
    log.info({ reason: error instanceof Error ? error.message : 'unknown' }, 'the answer of a passkey was refused')
    throw new AppError('PASSKEY_INVALID', {}, { cause: error })
  }
}
