import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import type { AccountId, AttemptId, HubId, PrinterId } from '../../kernel/ids.ts'
import type { AttemptReport, HubMessageBody } from '../../live/hub-messages.ts'
import { listLiveAttemptsOfHub } from '../attempts/attempts.queries.ts'
import type { Work } from '../events/work.ts'
import { serviceRestored, settleAttemptIn } from '../jobs/life/attempts.service.ts'
import { askToClearPlate } from '../jobs/plates/plate.ts'
import { doubtPlates } from '../printers/plate/plate.queries.ts'
import { raiseFences } from '../printers/state/fence.queries.ts'
import { listKnownAttempts } from './restored-service.queries.ts'

type Told = Pick<HubMessageBody<'hello'>, 'fences' | 'ended_attempts' | 'open_attempts'>

/**
 * Compares the fences that a hub has seen with those in the database; true when the database is behind, which it is only
 * after it was restored from a backup. Then the fences are raised, so that commands are not refused as old ones; what lies on
 * the plates is unknown, so that nothing starts before a person has looked, also no job that was printed since and stands in
 * the queue again; and people are told what ran. Attempts that the hub still knows are settled by its reports; the fate of
 * any other that the backup holds as live is unknown.
 */
export async function catchUpWithHub(
  context: Context,
  work: Work,
  hubId: HubId,
  { fences = [], ended_attempts: ended = [], open_attempts: open }: Told,
): Promise<boolean> {
  if (fences.length === 0 || (await raiseFences(work, fences)) === 0) return false
  await doubtForgotten(context, work, hubId, [...ended, ...open])
  const prints = await listPrintsSince(work.sql, work.accountId, ended, open)
  const printers = await doubtPlates(work, {
    hubId,
    openAttempts: open.map(({ attempt_id }) => attempt_id),
    olderThan: newest([...ended, ...open]),
  })
  for (const { id } of printers) {
    const here = prints.filter(({ printer_id }) => printer_id === id)
    await askToClearPlate(work, id, { kind: 'restored', note: noteOn(here) })
  }
  await work.record({
    type: 'hub.service_restored',
    subjectId: hubId,
    data: { printer_ids: printers.map(({ id }) => id), prints },
  })
  context.log.warn(
    { hub_id: hubId, printers: printers.length, prints: prints.length },
    'a hub knows of newer commands than the database: it was restored from a backup; all plates are to be looked at',
  )
  return true
}

/** One print that the database does not know, or does not know the end of. */
interface PrintSince {
  printer_id: PrinterId
  attempt_id: AttemptId
  file_name: string | null
  outcome: string | null
  happened_at: string
}

async function listPrintsSince(
  sql: Sql,
  accountId: AccountId,
  ended: readonly AttemptReport[],
  open: readonly AttemptReport[],
): Promise<PrintSince[]> {
  const ids = [...ended, ...open].map(({ attempt_id }) => attempt_id)
  const isOver = new Map((await listKnownAttempts(sql, accountId, ids)).map((known) => [known.id, known.is_over]))
  return [
    // What certainly never began lies on no plate.
    ...ended.filter(({ attempt_id, outcome }) => outcome !== 'not_started' && isOver.get(attempt_id) !== true),
    ...open.filter(({ attempt_id }) => !isOver.has(attempt_id)),
  ].map(({ printer_id, attempt_id, file_name, outcome, happened_at }) => ({
    printer_id,
    attempt_id,
    file_name: file_name || null,
    outcome,
    happened_at,
  }))
}

/** Takes "the command never came" for no evidence of attempts that the hub does not remember: it may be too long ago. */
async function doubtForgotten(
  context: Context,
  work: Work,
  hubId: HubId,
  told: readonly AttemptReport[],
): Promise<void> {
  const remembered = new Set(told.map(({ attempt_id }) => attempt_id))
  for (const { attempt_id } of await listLiveAttemptsOfHub(work.sql, work.accountId, hubId)) {
    if (remembered.has(attempt_id)) continue
    await settleAttemptIn(context, work, attempt_id, {
      phase: 'starting',
      outcome: 'unknown',
      reason_code: serviceRestored,
      evidence: {
        kind: 'journal',
        run_id: null,
        detail: 'The service was restored from a backup; what became of the start is not known',
      },
    })
  }
}

function newest(reports: readonly AttemptReport[]): Date | null {
  const times = reports.map(({ happened_at }) => Date.parse(happened_at)).filter(Number.isFinite)
  return times.length > 0 ? new Date(Math.max(...times)) : null
}

/** What a task has room for. */
const mostNamed = 20

function noteOn(prints: readonly PrintSince[]): string {
  if (prints.length === 0) return 'No print is known to have run here since.'
  const named = prints.slice(-mostNamed).map(({ file_name, outcome, happened_at }) => {
    const how = outcome ?? 'running'
    return `${file_name ?? 'an unnamed file'} (${how}, ${happened_at.slice(0, 16).replace('T', ' ')} UTC)`
  })
  const more = prints.length > mostNamed ? ` and ${prints.length - mostNamed} before them` : ''
  return `Printed here since: ${named.join(', ')}${more}. A job of these that stands in the queue again is to be cancelled or completed first.`
}
