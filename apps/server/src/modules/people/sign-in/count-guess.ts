import type { Context } from '../../../context/context.ts'
import { clientNetwork } from '../../../kernel/client-network.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { failedSignIns } from './failed-sign-ins.ts'
import { listSessionAddresses } from './sessions.queries.ts'
import { signInThrottle } from './sign-in-throttle.ts'

/** How a wrong password or code is answered. Whatever else goes wrong tells nothing about the secret. */
const wrongGuesses: readonly string[] = ['INVALID_CREDENTIALS', 'CODE_INVALID', 'VALIDATION_ERROR']

/** Those of them by which somebody did not come in; the other is a person's who is signed in. */
const failures: readonly string[] = ['INVALID_CREDENTIALS', 'CODE_INVALID']

/**
 * Lets somebody guess a password or code, unless too many guesses were wrong. From a network where the person has lately
 * been signed in, the guesses of others elsewhere count for nothing: nobody keeps a person out for ever.
 *
 * @param person whose secret it is; `userId` is undefined when nobody has the address
 * @throws AppError `RATE_LIMITED`, and what `guess` throws
 */
export async function countGuess<T>(
  context: Context,
  person: { email: string; userId: UserId | undefined },
  address: string,
  guess: () => Promise<T>,
): Promise<T> {
  const isKnownNetwork = person.userId !== undefined && (await wasSignedInFrom(context, person.userId, address))
  const counted = await signInThrottle(context).begin(person.email, address, { isKnownNetwork })
  try {
    const result = await guess()
    await counted.wasRight()
    return result
  } catch (error) {
    const code = error instanceof AppError ? error.code : undefined
    if (code === undefined || !wrongGuesses.includes(code)) await counted.isNone()
    else if (person.userId !== undefined && failures.includes(code)) failedSignIns(context).note(person.userId)
    throw error
  }
}

async function wasSignedInFrom(context: Context, userId: UserId, address: string): Promise<boolean> {
  const network = clientNetwork(address)
  return (await listSessionAddresses(context.db.sql, userId)).some((known) => clientNetwork(known) === network)
}
