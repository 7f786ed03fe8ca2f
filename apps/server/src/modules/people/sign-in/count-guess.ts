import type { Context } from '../../../context/context.ts'
import { clientNetwork } from '../../../kernel/client-network.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { failedSignIns } from './failed-sign-ins.ts'
import { listSessionAddresses } from './sessions.queries.ts'
import { signInThrottle } from './sign-in-throttle.ts'

/** Codes with which a wrong password or code is answered. Whatever else goes wrong tells nothing about the secret. */
const wrongGuesses: readonly string[] = ['INVALID_CREDENTIALS', 'CODE_INVALID', 'PASSKEY_INVALID', 'VALIDATION_ERROR']

/** Those of them by which a person did not come in; the other is a person's who is signed in. */
const failures: readonly string[] = ['INVALID_CREDENTIALS', 'CODE_INVALID', 'PASSKEY_INVALID']

/** Person who guesses, as far as it is known before anything is looked up. */
interface Guesser {
  email: string
  address: string
  /** Device of a browser in which the person has signed in before, or of the session in which they are. */
  deviceId: string | undefined
}

/** A guess that is let through. */
interface OpenGuess {
  /** For `verifyPassword`. */
  reservedFor: string | undefined
  /** Tells whose secret it is, so that their accounts are told when it was wrong. */
  isOf(userId: UserId): void
}

/**
 * Lets a person guess a password or code, unless too many guesses were wrong. It is counted before anything is looked up, so
 * that people who are known and those who are not are answered alike. In a browser or from a network where the person has
 * lately been signed in, the guesses of others count for nothing: they keep no one out for ever.
 *
 * @throws AppError `RATE_LIMITED`, and what `guess` throws
 */
export async function countGuess<T>(
  context: Context,
  { email, address, deviceId }: Guesser,
  guess: (open: OpenGuess) => Promise<T>,
): Promise<T> {
  const isKnownNetwork = () => wasSignedInFrom(context, email, address)
  const counted = await signInThrottle(context).begin(email, address, { deviceId, isKnownNetwork })
  let userId: UserId | undefined
  const reservedFor = deviceId === undefined ? undefined : email.trim().toLowerCase()
  const isOf = (id: UserId) => {
    userId = id
  }
  try {
    const result = await guess({ reservedFor, isOf })
    await counted.wasRight()
    return result
  } catch (error) {
    const code = error instanceof AppError ? error.code : undefined
    if (code === undefined || !wrongGuesses.includes(code)) await counted.isNone()
    else if (userId !== undefined && failures.includes(code)) failedSignIns(context).record(userId)
    throw error
  }
}

async function wasSignedInFrom(context: Context, email: string, address: string): Promise<boolean> {
  const network = clientNetwork(address)
  return (await listSessionAddresses(context.db.sql, email.trim())).some((known) => clientNetwork(known) === network)
}
