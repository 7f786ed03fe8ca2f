import type { AttemptReport as SentReport } from '@printyard/protocol/attempt'
import type {
  HubMessageName,
  HubMessageBody as SentBody,
  HubMessage as SentMessage,
} from '@printyard/protocol/messages'
import type { PrinterState as SentState } from '@printyard/protocol/printer-state'
import type { AttemptId, CommandId, PrinterId } from '../kernel/ids.ts'

/** The fields in which hubs send back IDs of ours. */
interface SentIds {
  attempt_id: AttemptId
  command_id: CommandId
  printer_id: PrinterId
}

/** What a hub says, with the kinds of its IDs. */
export type FromHub<T> = T extends readonly (infer Each)[]
  ? FromHub<Each>[]
  : T extends object
    ? { [K in keyof T]: K extends keyof SentIds ? SentIds[K] | Exclude<T[K], string> : FromHub<T[K]> }
    : T

export type HubMessage = FromHub<SentMessage>
export type HubMessageBody<N extends HubMessageName> = FromHub<SentBody<N>>
export type AttemptReport = FromHub<SentReport>
export type PrinterState = FromHub<SentState>

/** The message of one name. */
export type Named<N extends HubMessageName> = Extract<HubMessage, { type: N }>

/**
 * Takes the IDs in what a hub says for those of their kind. Each is looked up in the account of the hub before anything
 * follows from it, so that a wrong one names nothing.
 */
export function fromHub<T>(said: T): FromHub<T> {
  return said as FromHub<T>
}
