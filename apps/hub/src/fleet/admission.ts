import type { CommandErrorCode } from '@printyard/protocol/commands'
import type { ServiceMessage } from '@printyard/protocol/messages'
import { areCommandArguments } from '@printyard/protocol/service-frames'
import type { CommandResult, JournalState, KnownCommand } from '../journal/journal-state.ts'

export type CommandMessage = Extract<ServiceMessage, { type: 'command' }>

type Admission =
  /** It was answered before; the answer is given again and nothing else is done. */
  | { act: 'repeat'; result: NonNullable<KnownCommand['result']> }
  /** It is being carried out; the answer comes when there is one. */
  | { act: 'await' }
  | { act: 'refuse'; code: CommandErrorCode; message: string }
  | { act: 'accept' }

/** Answers whether a command may be acted on, by all that the journal knows and before anything is written or done. */
export function admit(
  message: CommandMessage,
  journal: Pick<JournalState, 'commands' | 'fences'>,
  present: { serverNowMs: number; isPrinterKnown: boolean },
): Admission {
  const known = journal.commands.get(message.command_id)
  if (known) return known.result ? { act: 'repeat', result: known.result } : { act: 'await' }
  if (!areCommandArguments(message.kind, message.args)) {
    return { act: 'refuse', code: 'INTERNAL', message: `the arguments do not fit a ${message.kind}` }
  }
  if (!present.isPrinterKnown) {
    return { act: 'refuse', code: 'UNKNOWN_PRINTER', message: 'this hub does not run the printer' }
  }
  const highest = journal.fences.get(message.printer_id) ?? 0
  if (message.fence < highest) {
    return { act: 'refuse', code: 'STALE_FENCE', message: `fence ${message.fence} came after ${highest}` }
  }
  const deadlineMs = Date.parse(message.deadline)
  if (!(deadlineMs > present.serverNowMs)) {
    return { act: 'refuse', code: 'EXPIRED', message: `its deadline ${message.deadline} has passed` }
  }
  return { act: 'accept' }
}

export function refusal(message: CommandMessage, code: CommandErrorCode, text: string): CommandResult {
  return {
    command_id: message.command_id,
    printer_id: message.printer_id,
    ok: false,
    code,
    message: text.slice(0, 500),
  }
}
