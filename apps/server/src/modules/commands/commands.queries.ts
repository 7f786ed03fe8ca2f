import type { CommandArguments } from '@printyard/protocol/commands'
import type { Sql } from '../../db/database.ts'
import type { CommandRow } from '../../db/rows.generated.ts'
import { takeFence } from '../printers/state/fence.queries.ts'

export type NewCommand = Pick<
  CommandRow,
  'id' | 'printer_id' | 'hub_id' | 'job_id' | 'attempt_id' | 'kind' | 'actor' | 'deadline'
> & { args: CommandArguments }

/**
 * Writes an order before it is sent and takes the printer's next fence for it. The same order to the same run while one
 * is under way violates `commands_under_way_key`.
 */
export async function insertCommand(sql: Sql, accountId: string, command: NewCommand): Promise<number | undefined> {
  const [row] = await sql<Pick<CommandRow, 'fence'>[]>`
    with printer as (
      ${takeFence(sql, accountId, command)}
    )
    insert into commands
      (account_id, id, printer_id, hub_id, job_id, attempt_id, kind, args, fence, state, actor, deadline)
    select ${accountId}, ${command.id}, ${command.printer_id}, ${command.hub_id}, ${command.job_id},
           ${command.attempt_id}, ${command.kind}, ${sql.json(command.args as never)}, printer.fence, 'sent',
           ${command.actor}, ${command.deadline}
    from printer
    returning fence`
  return row?.fence
}

export type CommandEnd = Exclude<CommandRow['state'], 'sent'>

export type CommandAnswered = Pick<CommandRow, 'error_code' | 'error_message'> & { state: CommandEnd; at: Date }

/** What came of an order. A late answer still replaces `unknown`. */
export async function endCommand(sql: Sql, accountId: string, commandId: string, end: CommandAnswered): Promise<void> {
  await sql`
    update commands set state = ${end.state}, error_code = ${end.error_code}, error_message = ${end.error_message},
      answered_at = ${end.at}
    where account_id = ${accountId} and id = ${commandId} and state in ('sent', 'unknown')`
}

/** As `endCommand`, on the word of a hub: only of an order that was sent to it. Answers what the order was. */
export async function endCommandOfHub(
  sql: Sql,
  accountId: string,
  hubId: string,
  commandId: string,
  end: CommandAnswered,
): Promise<Pick<CommandRow, 'kind' | 'attempt_id'> | undefined> {
  const [command] = await sql<Pick<CommandRow, 'kind' | 'attempt_id'>[]>`
    update commands set state = ${end.state}, error_code = ${end.error_code}, error_message = ${end.error_message},
      answered_at = ${end.at}
    where account_id = ${accountId} and id = ${commandId} and hub_id = ${hubId} and state in ('sent', 'unknown')
    returning kind, attempt_id`
  return command
}

export type AbandonedCommand = Pick<CommandRow, 'account_id' | 'id' | 'hub_id' | 'printer_id' | 'job_id' | 'kind'>

/** Orders whose answer nobody waits for any more: their process died. */
export async function abandonCommands(sql: Sql, deadlineBefore: Date): Promise<AbandonedCommand[]> {
  return sql<AbandonedCommand[]>`
    /* every account: orders are left behind by a process, not by an account */
    update commands set state = 'unknown', error_code = 'UNKNOWN_OUTCOME',
      error_message = 'the service stopped before the answer came'
    where state = 'sent' and deadline < ${deadlineBefore}
    returning account_id, id, hub_id, printer_id, job_id, kind`
}

/** The commands of a job stay on record without it. */
export async function detachCommandsOfJob(sql: Sql, accountId: string, jobId: string): Promise<void> {
  await sql`update commands set job_id = null where account_id = ${accountId} and job_id = ${jobId}`
}

/**
 * The statement that records the commands to print of `taken` and `attempt (id, fence)`, which the whole statement defines.
 */
export const recordTakenPrints = (sql: Sql, accountId: string, command: { actor: string; deadline: Date }) => sql`
      insert into commands
        (account_id, id, printer_id, hub_id, job_id, attempt_id, kind, args, fence, state, actor, deadline)
      select ${accountId}, taken.command_id, taken.printer_id, taken.hub_id, taken.job_id, taken.attempt_id, 'print',
             taken.args::jsonb, attempt.fence, 'sent', ${command.actor}, ${command.deadline}
      from taken join attempt on attempt.id = taken.attempt_id
      returning attempt_id`
