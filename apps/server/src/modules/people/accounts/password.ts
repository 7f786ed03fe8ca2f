import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { validationError } from '../../../kernel/errors.ts'
import { isGuessable, isNameOf } from './common-passwords.ts'
import { makeTurnsWithReserve } from './turns.ts'

/** Passwords that were set under an earlier rule stay valid. */
const passwordLength = { min: 12, max: 200 } as const

/** What OWASP's Password Storage Cheat Sheet asks of argon2id at least: 19 MiB, two passes, one lane. */
const cost = { memoryKib: 19_456, passes: 2, lanes: 1 }
const saltBytes = 16
const hashBytes = 32

/**
 * Hashing runs on the few threads that files and name look-ups need too, and takes 19 MiB each time: so only some at once,
 * anyone who asks. A person waits 50 × 30 ms at most; who comes after that is turned away. One more is reserved for people who
 * have signed in by the same browser before.
 */
const inTurnOf = makeTurnsWithReserve({ atOnce: 2, mostWaiting: 100 }, { atOnce: 1, mostWaiting: 50 })

/** More than this was never written by us, and would let one damaged row take the memory of the whole machine. */
const mostMemoryKib = 262_144

/** Name of the product, the same in every installation. */
const product = 'printyard'

/**
 * Problem of a new password, as a sentence to show; undefined: it can be taken.
 *
 * @param names what others know of the person and cannot be a password: names, the farm's, the address
 */
export async function findPasswordProblem(
  password: string,
  names: readonly string[] = [],
): Promise<string | undefined> {
  const length = [...password.normalize('NFKC')].length
  if (length === 0) return 'The password is empty.'
  if (length < passwordLength.min) return `The password needs at least ${passwordLength.min} characters.`
  if (length > passwordLength.max) return `The password may have at most ${passwordLength.max} characters.`
  if (isNameOf(password, [product, ...names])) {
    return 'The password is only a name with digits or signs around it. Choose one that people who know you cannot guess.'
  }
  if (await isGuessable(password)) {
    return 'The password is too easy to guess. Several words that do not belong together are good.'
  }
  return undefined
}

/**
 * The argon2id hash of a new password as a PHC string (`$argon2id$v=19$m=…,t=…,p=…$salt$hash`). Takes about 30 ms and
 * 19 MiB, off the main thread.
 *
 * @throws AppError `VALIDATION_ERROR` when the password cannot be taken, `SERVICE_UNAVAILABLE` when too many wait.
 */
export async function hashPassword(password: string, names: readonly string[] = []): Promise<string> {
  const problem = await findPasswordProblem(password, names)
  if (problem !== undefined) throw validationError({ password: [problem] })
  const salt = randomBytes(saltBytes)
  const hash = await inTurnOf(undefined, () => derive(password, salt, cost, hashBytes))
  return phcOf(salt, hash)
}

function phcOf(salt: Buffer, hash: Buffer): string {
  const parameters = `m=${cost.memoryKib},t=${cost.passes},p=${cost.lanes}`
  return `$argon2id$v=19$${parameters}$${unpadded(salt)}$${unpadded(hash)}`
}

/**
 * True when this is the password that the PHC string was made of. The costs are read from the string, so that hashes of
 * earlier costs stay good.
 *
 * @param reservedFor a person who is known to the browser that asks, and does not wait behind strangers
 * @throws Error when the stored string is no argon2id hash: that is a damaged row, not a wrong password.
 */
export async function verifyPassword(password: string, stored: string, reservedFor?: string): Promise<boolean> {
  const { salt, hash, ...storedCost } = readPhc(stored)
  // Anyone who sends megabytes as a password only wants us to hash them.
  if (password.length > passwordLength.max * 8) return false
  const derived = await inTurnOf(reservedFor, () => derive(password, salt, storedCost, hash.length))
  return timingSafeEqual(derived, hash)
}

/** A hash that no password matches, but that takes as long to find so: for people who are not there, or have none. */
export const unmatchableHash = phcOf(Buffer.alloc(saltBytes), Buffer.alloc(hashBytes))

const phcForm =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

function readPhc(stored: string) {
  const [, memory, passes, lanes, salt, hash] = phcForm.exec(stored) ?? []
  if (salt === undefined || hash === undefined || Number(memory) > mostMemoryKib) {
    throw new Error('The stored password hash is damaged: it is not an argon2id PHC string.')
  }
  return {
    memoryKib: Number(memory),
    passes: Number(passes),
    lanes: Number(lanes),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

function derive(
  password: string,
  salt: Buffer,
  { memoryKib, passes, lanes }: typeof cost,
  length: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parameters = {
      // The same characters typed on different keyboards may arrive in different Unicode forms.
      message: password.normalize('NFKC'),
      nonce: salt,
      parallelism: lanes,
      tagLength: length,
      memory: memoryKib,
      passes,
    }
    argon2('argon2id', parameters, (error, hash) => (error ? reject(error) : resolve(hash)))
  })
}

/** PHC strings leave the padding of base64 out. */
function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
