import type { Context } from '../../../../context/context.ts'
import type { Sql } from '../../../../db/database.ts'
import { isUniqueViolation } from '../../../../db/database-errors.ts'
import { AppError, notFound, validationError } from '../../../../kernel/errors.ts'
import type { AccountId, SpoolmanUsageId } from '../../../../kernel/ids.ts'
import { createTargetPolicy } from '../../../../kernel/target-policy.ts'
import { changedFields } from '../../../events/changed-fields.ts'
import type { Work } from '../../../events/work.ts'
import { createSpoolmanClient, SpoolmanProblem, spoolmanSender } from '../sync/spoolman-client.ts'
import {
  type ConnectionRow,
  deleteConnection,
  findConnection,
  forgetOtherSpools,
  forgetUsages,
  insertConnection,
  makeDue,
  moveSpools,
  settleTroubled,
  updateConnection,
} from './spoolman.queries.ts'
import type { NewSpoolman, SpoolmanChanges } from './spoolman.schema.ts'

type Known = Pick<Context, 'config'>

export async function getConnection(
  sql: Sql,
  accountId: AccountId,
  options?: { isLocked?: boolean },
): Promise<ConnectionRow> {
  const row = await findConnection(sql, accountId, options)
  if (!row) throw notFound('connection to Spoolman')
  return row
}

/** Connects a Spoolman; reading begins at once. Spools of an earlier connection to the same one are known again. */
export async function connectSpoolman({ config }: Known, work: Work, body: NewSpoolman): Promise<ConnectionRow> {
  const { leader = 'spoolman', sends_usage = true } = body
  const url = checkedUrl(config, body.url)
  const made = await insertConnection(work, { url, leader, sends_usage }).catch((error: unknown) => {
    if (isUniqueViolation(error, 'spoolman_connections_account_key'))
      throw new AppError('ALREADY_EXISTS', { resource: 'connection to Spoolman' })
    throw error
  })
  await forgetOtherSpools(work, url)
  await work.record({ type: 'spoolman.connected', subjectId: made.id, data: { leader } })
  return made
}

/** Changes what is given. What was resumed, or has another address, is read now. */
export async function changeSpoolman({ config }: Known, work: Work, changes: SpoolmanChanges): Promise<ConnectionRow> {
  const before = await getConnection(work.sql, work.accountId, { isLocked: true })
  const { is_active: isActive, url, ...others } = changes
  const given = { ...others, ...(url !== undefined && { url: checkedUrl(config, url) }) }
  const fields = changedFields(
    { ...before, is_active: before.paused_at === null },
    { ...given, ...(isActive !== undefined && { is_active: isActive }) },
  )
  if (fields.length === 0) return before
  const changed = await updateConnection(work, {
    ...given,
    ...(isActive === true && { paused_at: null }),
    ...(isActive === false && before.paused_at === null && { paused_at: work.now }),
    ...((isActive === true || given.url !== undefined) && { failures: 0, failing_since: null, problem: null }),
  })
  if (given.url !== undefined) await moveSpools(work, given.url)
  // What was used under other rules is not told: where Printyard leads it tells what remains, and the rest is told by others.
  if (changed.leader !== before.leader || changed.sends_usage !== before.sends_usage) await forgetUsages(work)
  await work.record({ type: 'spoolman.updated', subjectId: before.id, data: { fields } })
  return changed
}

/** Disconnects Spoolman. What came from there stays. */
export async function disconnectSpoolman(work: Work): Promise<void> {
  const { id } = await getConnection(work.sql, work.accountId, { isLocked: true })
  await forgetUsages(work)
  await deleteConnection(work)
  await work.record({ type: 'spoolman.disconnected', subjectId: id, data: {} })
}

/** Reads Spoolman now. */
export async function askSpoolman(work: Work): Promise<void> {
  const { paused_at: pausedAt } = await getConnection(work.sql, work.accountId, { isLocked: true })
  if (pausedAt !== null) throw validationError({ _root: ['the connection is paused: resume it first'] })
  await makeDue(work)
}

/** Ends the question whether Spoolman has some usage. */
export async function settleTroubledUsage(work: Work, usageId: SpoolmanUsageId, isToldAgain: boolean): Promise<void> {
  const { id } = await getConnection(work.sql, work.accountId, { isLocked: true })
  if (!(await settleTroubled(work, usageId, isToldAgain))) throw notFound('usage')
  await work.record({ type: 'spoolman.usage_settled', subjectId: id, data: { is_told_again: isToldAgain } })
}

/** Asks an address whether it answers as Spoolman does. It changes nothing there. */
export async function testSpoolman(
  context: Context,
  url: string,
): Promise<{ ok: boolean; version: string | null; problem: string | null }> {
  try {
    const client = createSpoolmanClient(spoolmanSender(context), checkedUrl(context.config, url))
    return { ok: true, version: await client.readVersion(), problem: null }
  } catch (error) {
    if (!(error instanceof SpoolmanProblem)) throw error
    return { ok: false, version: null, problem: error.message }
  }
}

/** The address of Spoolman, without what follows it. @throws AppError `VALIDATION_ERROR` */
function checkedUrl({ outboundNetworks }: Known['config'], text: string): string {
  const url = text
    .trim()
    .replace(/\/+$/, '')
    .replace(/\/api\/v1$/, '')
  const problem =
    createTargetPolicy(outboundNetworks).findUrlProblem(url) ??
    (new URL(url).search === '' ? undefined : 'must not contain a query')
  if (problem !== undefined) throw validationError({ url: [problem] })
  return url
}
