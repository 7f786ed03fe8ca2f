import { ApiError, ConnectionError, PrintyardError } from './errors.ts'
import type * as api from './generated/api.generated.ts'
import { type Connection, wait } from './request.ts'

/** What happened, as the feed and webhooks tell it too. */
export interface ChangeMessage {
  event: 'change'
  id: string
  data: api.Event
}

/** Events are missing from here on: read again what you show. */
export interface ResetMessage {
  event: 'reset'
  id: string
  data: unknown
}

/** The fields of a printer's status that changed. */
export interface LiveMessage {
  event: 'live'
  data: Partial<api.LivePrinterStatus> & { printer_id: string }
}

/** A hub came or went. */
export interface HubMessage {
  event: 'hub'
  data: { hub_id: string; is_online: boolean }
}

/** A hub has told again which printers it has found. */
export interface CandidatesMessage {
  event: 'candidates'
  data: { hub_id: string; looked: { address: string; found: number; problem: string | null } | null }
}

export type StreamMessage = ChangeMessage | ResetMessage | LiveMessage | HubMessage | CandidatesMessage

export interface StreamOptions {
  /** ID of the event after which to begin. Default: now. */
  after?: string
  /** Ends the stream. */
  signal?: AbortSignal
  /** Called when the connection has broken; it is made again by itself. */
  onBreak?: (reason: unknown) => void
}

const firstWaitMs = 500
const longestWaitMs = 30_000
/** A comment comes every 15 seconds. */
const silenceMs = 30_000

/** Follows the stream of events over breaks of the connection: no event of the feed is left out, and none comes twice. */
export async function* followEvents(
  connection: Connection,
  { after, signal, onBreak }: StreamOptions,
): AsyncGenerator<StreamMessage, void, undefined> {
  let lastId = after
  for (let failures = 0; ; failures += 1) {
    const stop = new AbortController()
    const ended = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
    try {
      const options = {
        headers: { accept: 'text/event-stream', ...(lastId !== undefined && { 'last-event-id': lastId }) },
      }
      const opened = within(
        silenceMs,
        stop,
        connection.open({ method: 'GET', path: '/public/v1/events/stream', options }, ended),
      )
      for await (const frame of readFrames(await opened, stop)) {
        failures = 0
        if (frame.id !== undefined) lastId = frame.id
        if (frame.data !== undefined) yield messageOf(frame.event, frame.id, frame.data)
      }
      throw new ConnectionError('The service ended the stream.')
    } catch (error) {
      if (signal?.aborted === true) return
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error
      onBreak?.(error)
      const asked = error instanceof ApiError ? error.retryAfterSeconds : null
      const backOffMs = Math.min(longestWaitMs, firstWaitMs * 2 ** failures) * (0.5 + Math.random() / 2)
      try {
        await wait(asked === null ? backOffMs : asked * 1_000, signal)
      } catch {
        return
      }
    } finally {
      stop.abort()
    }
  }
}

interface Frame {
  id?: string
  event: string
  data?: string
}

function messageOf(event: string, id: string | undefined, data: string): StreamMessage {
  // The names and forms are those of docs/api/events.md; a name that came later is let through.
  return { event, ...(id !== undefined && { id }), data: JSON.parse(data) } as StreamMessage
}

/** Frames of server-sent events. @throws ConnectionError when nothing, not even a comment, came for half a minute. */
async function* readFrames(response: Response, stop: AbortController): AsyncGenerator<Frame, void, undefined> {
  if (response.body === null) throw new PrintyardError('The answer has no body to read events of.')
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await within(silenceMs, stop, reader.read())
      if (done) return
      rest += decoder.decode(value, { stream: true })
      const blocks = rest.split(/\r?\n\r?\n/)
      rest = blocks.pop() ?? ''
      for (const block of blocks) yield readFrame(block)
    }
  } finally {
    reader.releaseLock()
  }
}

function readFrame(block: string): Frame {
  const frame: Frame = { event: 'message' }
  const data: string[] = []
  for (const line of block.split(/\r?\n/)) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (field === 'id') frame.id = value
    if (field === 'event') frame.event = value
    if (field === 'data') data.push(value)
  }
  if (data.length > 0) frame.data = data.join('\n')
  return frame
}

async function within<T>(ms: number, stop: AbortController, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => stop.abort(new ConnectionError(`Nothing came for ${ms / 1_000} seconds.`)), ms)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}
