import type { CommandKind } from '@printyard/protocol/command-kinds'
import type { CommandArguments } from '@printyard/protocol/commands'
import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import { AppError } from '../../kernel/errors.ts'
import {
  type AccountId,
  type AttemptId,
  type CommandId,
  type HubId,
  type JobId,
  newId,
  type PrinterId,
} from '../../kernel/ids.ts'
import type { RemoteHub } from '../../live/hubs.ts'
import type { PeerQuestion } from '../../live/peers.ts'
import type { CommandAnswer } from '../../live/pending.ts'
import { workIn } from '../events/work.ts'
import { elsewhereUnreachable } from '../hubs/state/hub-away.ts'
import { Batches } from './batches.ts'
import { recordCommandEvent } from './command-events.ts'
import { type CommandEnded, endCommand, endCommands, insertCommand, isAwaited, takeRouted } from './commands.queries.ts'

export interface NewCommand<K extends CommandKind = CommandKind> {
  printerId: PrinterId
  hubId: HubId
  jobId: JobId | null
  attemptId: AttemptId | null
  kind: K
  args: CommandArguments<K>
  actor: string
}

/** A command that is on record and may now be sent. */
export interface WrittenCommand {
  commandId: CommandId
  fence: number
  deadline: Date
}

/** Puts a command on record, in the transaction that claims what it will change. */
export async function writeCommand(
  context: Context,
  sql: Sql,
  accountId: AccountId,
  command: NewCommand,
  timeoutMs = context.timeouts.commandMs,
): Promise<WrittenCommand> {
  const commandId = newId('command')
  const created_at = context.clock.now()
  const deadline = new Date(created_at.getTime() + timeoutMs)
  const fence = await insertCommand(sql, accountId, {
    id: commandId,
    printer_id: command.printerId,
    hub_id: command.hubId,
    job_id: command.jobId,
    attempt_id: command.attemptId,
    kind: command.kind,
    args: command.args,
    actor: command.actor,
    deadline,
    created_at,
  })
  if (fence === undefined) throw new AppError('NO_HUB_ASSIGNED')
  return { commandId, fence, deadline }
}

/** Sends a written command, waits for its answer and puts that on record too. Never sends twice. */
export async function sendCommand(
  context: Context,
  accountId: AccountId,
  command: NewCommand,
  written: WrittenCommand,
): Promise<CommandAnswer> {
  const before = context.hubs.find(command.hubId)?.epoch
  let answer = await deliver(context, accountId, command, written)
  if (answer.kind === 'offline') {
    // It was certainly not given: a hub that left just then may be with another process by now.
    await context.hubs.waitForReturn(command.hubId, command.printerId)
    const present = context.hubs.find(command.hubId)
    if (present && present.epoch !== before) answer = await deliver(context, accountId, command, written)
  }
  const end = { ...endOf(answer), at: context.clock.now() }
  // What becomes of a job is recorded with the job. A round of starts has many answers at once.
  if (command.jobId !== null) {
    await context.memory.hold(gatherEnds, context).add(accountId, { commandId: written.commandId, ...end })
  } else {
    await context.db.beginFor(accountId, async (sql) => {
      const ended = await endCommand(sql, accountId, written.commandId, end)
      const isPending = answer.kind === 'succeeded' && answer.pending !== undefined
      const work = workIn(sql, { accountId, actor: command.actor, now: end.at })
      if (ended) await recordCommandEvent(work, ended, isPending ? 'pending' : end.state)
    })
  }
  return answer
}

/** Answers that one statement records. */
const mostEnds = 250

const gatherEnds = ({ db }: Pick<Context, 'db'>) =>
  new Batches<AccountId, CommandEnded>((accountId, ends) => endCommands(db.sql, accountId, ends), mostEnds)

/**
 * Gives a command to the hub while its connection is certain to be the newest and someone still waits for the answer: a start that
 * reached the hub after it was asked what became of that start could be done twice.
 */
async function deliver(
  context: Context,
  accountId: AccountId,
  command: GivenPart,
  written: WrittenCommand,
): Promise<CommandAnswer> {
  const { commandId, fence, deadline } = written
  const { hubId, printerId: printer_id, kind, args } = command
  const connection = context.hubs.findHere(hubId)
  const elsewhere = context.hubs.findElsewhere(hubId)
  if (elsewhere) return deliverElsewhere(context, accountId, elsewhere, written)
  if (!connection) return { kind: 'offline' }
  let answer: Promise<CommandAnswer> | undefined
  try {
    await context.fences.whileNewest(
      connection,
      (sql) => isAwaited(sql, accountId, commandId),
      () => {
        const timeoutMs = Math.max(0, deadline.getTime() - context.clock.now().getTime())
        answer = context.hubs.sendCommand(hubId, { command_id: commandId, printer_id, fence, kind, args }, timeoutMs)
      },
    )
  } catch (error) {
    const words = 'a command was not given to its hub'
    context.log.warn({ err: error, hub_id: hubId, command_id: commandId }, words)
  }
  return answer ?? { kind: 'offline' }
}

/** The part of a command that its hub is given. */
type GivenPart = Pick<NewCommand, 'hubId' | 'printerId' | 'kind' | 'args'>

/**
 * Has the process that holds the hub give it a command. That process takes the command in the database first; when it does not say that it
 * has it, the command is taken back there, so that it is certain whether it may have been given.
 */
async function deliverElsewhere(
  context: Context,
  accountId: AccountId,
  elsewhere: RemoteHub,
  { commandId, fence, deadline }: WrittenCommand,
): Promise<CommandAnswer> {
  const timeoutMs = Math.max(0, deadline.getTime() - context.clock.now().getTime())
  let isTakenBack = false
  const takeBack = async () => {
    isTakenBack ||= (await takeRouted(context.db.sql, accountId, commandId, context.clock.now())) !== undefined
    return isTakenBack
  }
  const question = { kind: 'command' as const, command_id: commandId, fence, timeout_ms: timeoutMs }
  const reply = await context.peers.ask(elsewhere, question, timeoutMs, takeBack)
  if (reply.kind === 'answered') return reply.answer as CommandAnswer
  // While messages arrive, that process is gone, or says that the hub is.
  if (reply.kind === 'unreachable' && context.peers.isReady) {
    context.hubs.dropRemote(elsewhere.hubId, elsewhere.epoch, context.clock.now())
  }
  if (reply.kind === 'unreachable' || (await takeBack())) return { kind: 'offline', isElsewhere: true }
  return { kind: 'silent', why: 'timeout' }
}

/**
 * Gives a hub that is connected here a command that another process wrote. Undefined when that process waits for it no more, or the
 * command was given already.
 */
export async function deliverRouted(
  context: Context,
  accountId: AccountId,
  hubId: HubId,
  { command_id: commandId, fence, timeout_ms }: Extract<PeerQuestion, { kind: 'command' }>,
): Promise<CommandAnswer | undefined> {
  const at = context.clock.now()
  const command = await takeRouted(context.db.sql, accountId, commandId, at)
  if (command?.hub_id !== hubId) return undefined
  const { printer_id: printerId, kind, args } = command
  const written = { commandId, fence, deadline: new Date(at.getTime() + timeout_ms) }
  // As it was written: the hub reads it by its schema.
  return deliver(context, accountId, { hubId, printerId, kind: kind as CommandKind, args: args as never }, written)
}

function endOf(answer: CommandAnswer) {
  switch (answer.kind) {
    case 'succeeded':
      return { state: 'succeeded' as const, error_code: null, error_message: null }
    case 'refused':
      return isFateUnknown(answer)
        ? { state: 'unknown' as const, error_code: answer.code, error_message: answer.message }
        : { state: 'failed' as const, error_code: answer.code, error_message: answer.message }
    case 'offline':
      return { state: 'failed' as const, error_code: 'HUB_OFFLINE', error_message: 'the hub was not connected' }
    case 'silent':
      return { state: 'unknown' as const, error_code: 'UNKNOWN_OUTCOME', error_message: answer.why }
  }
}

/** True when the command may have taken effect although no one confirmed it. */
export function isFateUnknown(answer: CommandAnswer): boolean {
  return answer.kind === 'silent' || (answer.kind === 'refused' && answer.code === 'UNKNOWN_OUTCOME')
}

/** The error for the caller. `details.reason` says which way it failed; HUB_OFFLINE means that nothing was sent. */
export function commandError(answer: Exclude<CommandAnswer, { kind: 'succeeded' }>): AppError {
  switch (answer.kind) {
    case 'offline':
      return answer.isElsewhere ? elsewhereUnreachable() : new AppError('HUB_OFFLINE', {}, { retryAfterSeconds: 10 })
    case 'silent':
      return new AppError(
        'HUB_COMMAND_FAILED',
        { why: answer.why === 'timeout' ? 'no answer came in time' : 'the connection to its hub was lost' },
        { details: { reason: answer.why } },
      )
    case 'refused':
      return new AppError(
        // What the machine has no part for, it will not do later either.
        answer.code === 'NOT_SUPPORTED' ? 'COMMAND_NOT_SUPPORTED' : 'HUB_COMMAND_FAILED',
        { why: answer.message },
        { details: { reason: answer.code.toLowerCase() } },
      )
  }
}
