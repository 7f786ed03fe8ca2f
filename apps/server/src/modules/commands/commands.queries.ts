import type { CommandArguments } from '@printyard/protocol/commands'
import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { CommandRow } from '../../db/rows.generated.ts'
import type { AccountId, AttemptId, CommandId, HubId, JobId } from '../../kernel/ids.ts'
import { takeFence } from '../printers/state/fence.queries.ts'

type NewCommand = Pick<
  CommandRow,
  'id' | 'printer_id' | 'hub_id' | 'job_id' | 'attempt_id' | 'kind' | 'actor' | 'deadline' | 'created_at'
> & { args: CommandArguments }

/**
 * Writes a command before it is sent and takes the printer's next fence for it. The same command to the same run while one
 * is under way violates `commands_under_way_key`.
 */
export async function insertCommand(sql: Sql, accountId: AccountId, command: NewCommand): Promise<number | undefined> {
  const [row] = await sql<Pick<CommandRow, 'fence'>[]>`
    with printer as (
      ${takeFence(sql, accountId, command)}
    )
    insert into commands
      (account_id, id, printer_id, hub_id, job_id, attempt_id, kind, args, fence, state, actor, deadline, created_at)
    select ${accountId}, ${command.id}, ${command.printer_id}, ${command.hub_id}, ${command.job_id},
           ${command.attempt_id}, ${command.kind}, ${sql.json(command.args as never)}, printer.fence, 'sent',
           ${command.actor}, ${command.deadline}, ${command.created_at}
    from printer
    returning fence`
  return row?.fence
}

/** True when a command may still be given to its hub; it stays so until the end of the transaction. */
export async function isAwaited(sql: Sql, accountId: AccountId, commandId: CommandId): Promise<boolean> {
  // Its state is read, not asked for: a plan may look through all commands that are under way for one.
  const [command] = await sql<Pick<CommandRow, 'state'>[]>`
    select state from commands where account_id = ${accountId} and id = ${commandId} for share`
  return command?.state === 'sent'
}

/**
 * Takes a command that is given to a hub by another process than wrote it; the one that wrote it takes it back by the same statement.
 * Undefined when the other was first, or no one waits for it any more.
 */
export async function takeRouted(
  sql: Sql,
  accountId: AccountId,
  commandId: CommandId,
  at: Date,
): Promise<Pick<CommandRow, 'printer_id' | 'hub_id' | 'kind' | 'args'> | undefined> {
  const [command] = await sql<Pick<CommandRow, 'printer_id' | 'hub_id' | 'kind' | 'args'>[]>`
    update commands c set routed_at = ${at}
    where account_id = ${accountId} and id = ${commandId} and state = 'sent' and routed_at is null
    returning c.printer_id, c.hub_id, c.kind, c.args`
  return command
}

type CommandEnd = Exclude<CommandRow['state'], 'sent'>

type CommandAnswered = Pick<CommandRow, 'error_code' | 'error_message'> & { state: CommandEnd; at: Date }

const endedColumns = columnsOf<CommandRow>('c')('id', 'printer_id', 'job_id', 'attempt_id', 'kind', 'args', 'actor')

export type EndedCommand = RowOf<typeof endedColumns> & { state_before: CommandRow['state'] }

/**
 * Records what came of a command. A late answer still replaces `unknown`. On the word of a hub, only of a command that was sent to it.
 * Answers the command; undefined when its state stays.
 */
export async function endCommand(
  sql: Sql,
  accountId: AccountId,
  commandId: CommandId,
  end: CommandAnswered & { hubId?: HubId },
): Promise<EndedCommand | undefined> {
  const [command] = await sql<EndedCommand[]>`
    with before as (
      select account_id, id, state from commands
      where account_id = ${accountId} and id = ${commandId} and state in ('sent', 'unknown') and state <> ${end.state}
        ${end.hubId === undefined ? sql`` : sql`and hub_id = ${end.hubId}`}
      for update
    )
    update commands c set state = ${end.state}, error_code = ${end.error_code}, error_message = ${end.error_message},
      answered_at = ${end.at}
    from before
    where c.account_id = before.account_id and c.id = before.id
    returning ${endedColumns(sql)}, before.state as state_before`
  return command
}

/** What came of one of many commands. */
export type CommandEnded = CommandAnswered & { commandId: CommandId }

/** The same for many, whose commands no one needs. The driver writes a null inside an array as a text: an empty one stands for it. */
export async function endCommands(sql: Sql, accountId: AccountId, ends: readonly CommandEnded[]): Promise<void> {
  await sql`
    update commands c set state = before.end_state, error_code = nullif(before.code, ''),
      error_message = nullif(before.message, ''), answered_at = before.at
    from (
      select c.account_id, c.id, w.end_state, w.code, w.message, w.at
      from unnest(
        ${ends.map(({ commandId }) => commandId)}::text[], ${ends.map(({ state }) => state)}::text[],
        ${ends.map(({ error_code }) => error_code ?? '')}::text[],
        ${ends.map(({ error_message }) => error_message ?? '')}::text[], ${ends.map(({ at }) => at)}::timestamptz[]
      ) as w (id, end_state, code, message, at)
      join commands c on c.account_id = ${accountId} and c.id = w.id
      where c.state in ('sent', 'unknown') and c.state <> w.end_state
      order by c.id
      for update of c
    ) before
    where c.account_id = before.account_id and c.id = before.id`
}

/**
 * Answers who asked for the stop that ended an attempt, as in `Actor.label`. Of several the first one that its hub took or may have
 * taken; a refused one stopped nothing.
 */
export async function findStopperOf(sql: Sql, accountId: AccountId, attemptId: AttemptId): Promise<string | undefined> {
  const [stop] = await sql<Pick<CommandRow, 'actor'>[]>`
    select actor from commands
    where account_id = ${accountId} and attempt_id = ${attemptId} and kind = 'stop' and state <> 'failed'
    order by state = 'unknown', created_at limit 1`
  return stop?.actor
}

type AbandonedCommand = EndedCommand & Pick<CommandRow, 'account_id' | 'hub_id'>

/** Commands whose answer no one waits for any more: their process died. */
export async function abandonCommands(sql: Sql, deadlineBefore: Date): Promise<AbandonedCommand[]> {
  return sql<AbandonedCommand[]>`
    /* every account: commands are left behind by a process, not by an account */
    update commands c set state = 'unknown', error_code = 'UNKNOWN_OUTCOME',
      error_message = 'the service stopped before the answer came'
    where state = 'sent' and deadline < ${deadlineBefore}
    returning ${endedColumns(sql)}, account_id, hub_id, 'sent' as state_before`
}

/** The commands of a job stay on record without it. Each is one of its attempts': call it before they are deleted. */
export async function detachCommandsOfJob(sql: Sql, accountId: AccountId, jobId: JobId): Promise<void> {
  await sql`
    update commands c set job_id = null
    from attempts a
    where a.account_id = ${accountId} and a.job_id = ${jobId} and c.account_id = a.account_id and c.attempt_id = a.id`
}

/** The statement that records the commands to print of `fenced`, which the whole statement defines. */
export const recordFencedPrints = (
  sql: Sql,
  accountId: AccountId,
  command: { actor: string; deadline: Date; at: Date },
) => sql`
      insert into commands
        (account_id, id, printer_id, hub_id, job_id, attempt_id, kind, args, fence, state, actor, deadline, created_at)
      select ${accountId}, command_id, printer_id, hub_id, job_id, attempt_id, 'print', args::jsonb, fence, 'sent',
             ${command.actor}, ${command.deadline}, ${command.at}
      from fenced`
