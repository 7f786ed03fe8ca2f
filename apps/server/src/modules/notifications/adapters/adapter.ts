import type { Answered, OutboundRequest } from '../../outbound/send-request.ts'
import type { Message } from '../message/message.ts'

/**
 * Outcome of a message: `retry` may be taken later, `refused` never will be, and a channel that is `gone` takes nothing any
 * more.
 */
export type Verdict = 'accepted' | 'retry' | 'gone' | 'refused'

export interface Receipt {
  verdict: Verdict
  /** What the other side answered; null when it did not. */
  status_code: number | null
  /** The beginning of its answer, or what went wrong, for people. */
  answer: string | null
  duration_ms: number
  /** Time that the other side asks to be left alone; 0 when it does not. */
  retryAfterMs: number
}

/** Texts of a channel, as they were entered in its form. */
export const settingNames = ['server', 'topic', 'token', 'chat_id', 'room_id', 'url', 'secret'] as const
export type SettingName = (typeof settingNames)[number]
export type ChannelSettings = Partial<Record<SettingName | 'endpoint' | 'p256dh' | 'auth', string>>

/** Sends one request by the rules of this service on where anything may be sent. */
export type Send = (request: OutboundRequest) => Promise<Answered>

/** One kind of service that people read messages in. */
export interface Adapter {
  /** What its form must have, and may have. */
  needed: readonly SettingName[]
  optional: readonly SettingName[]
  /** What is taken where nothing was entered. */
  defaults?: ChannelSettings
  /** The address that everything of it is sent to, which is looked at when it is entered. */
  address(settings: ChannelSettings): string
  send(message: Message, settings: ChannelSettings, send: Send): Promise<Receipt>
}

/** A setting that the form has made sure of. */
export function need(settings: ChannelSettings, name: keyof ChannelSettings): string {
  const value = settings[name]
  if (value === undefined) throw new Error(`The channel has no ${name}`)
  return value
}
