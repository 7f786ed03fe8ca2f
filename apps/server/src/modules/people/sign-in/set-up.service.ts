import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import { AppError, type FieldErrors, validationError } from '../../../kernel/errors.ts'
import { workOfUser } from '../../events/work.ts'
import { addAccountWithOwner, findAccountProblems } from '../accounts/accounts.service.ts'
import { hashPassword } from '../accounts/password.ts'
import { hasUsers } from './sessions.queries.ts'
import { type StartedSession, startSession } from './sessions.service.ts'
import { isSetUpCode, setUpCode } from './set-up-code.ts'

interface SetUp {
  account_name: string
  name: string
  email: string
  password: string
  time_zone?: string
  code?: string
}

/** Answers whether a person must set the service up: with the code that it printed, wherever they are. */
export async function lookAtSetUp(context: Context) {
  const isNeeded = !(await hasUsers(context.db.sql))
  return { needed: isNeeded, code_needed: isNeeded }
}

/** The code to print beside the address; undefined when a person has set the service up. */
export async function findSetUpCode(context: Context): Promise<string | undefined> {
  return (await hasUsers(context.db.sql)) ? undefined : setUpCode(context.secrets)
}

/**
 * Makes the first person and their account, and signs them in. Only one can win: anyone who comes second finds a person.
 *
 * @throws AppError `ALREADY_SET_UP`, `SETUP_CODE_INVALID`, `VALIDATION_ERROR`
 */
export async function setUp(context: Context, request: FastifyRequest, input: SetUp): Promise<StartedSession> {
  if (await hasUsers(context.db.sql)) throw new AppError('ALREADY_SET_UP')
  // Another user of this machine, a page in its browser and a container beside it all come from this address.
  if (!isSetUpCode(context.secrets, input.code ?? '')) throw new AppError('SETUP_CODE_INVALID')
  const account = {
    name: input.account_name,
    ownerEmail: input.email,
    ownerName: input.name,
    ownerPassword: input.password,
    timeZone: input.time_zone,
    createdBy: 'set-up',
  }
  refuseProblems(await findAccountProblems(account))
  const passwordHash = await hashPassword(input.password)
  return context.db.begin(async (sql) => {
    // Against any other way in which a user is added, until this transaction has ended.
    await sql`lock table users in share row exclusive mode`
    if (await hasUsers(sql)) throw new AppError('ALREADY_SET_UP')
    const { id, owner } = await addAccountWithOwner(sql, account, passwordHash, context.clock.now())
    const work = workOfUser(context, sql, id, owner.id)
    return startSession(work, request, { userId: owner.id, provenAt: work.now })
  })
}

/** By the names that this request has for the fields. */
function refuseProblems({ name, owner_email, owner_password, time_zone }: FieldErrors): void {
  const fields: FieldErrors = {
    ...(name && { account_name: name }),
    ...(owner_email && { email: owner_email }),
    ...(owner_password && { password: owner_password }),
    ...(time_zone && { time_zone }),
  }
  if (Object.keys(fields).length > 0) throw validationError(fields)
}
