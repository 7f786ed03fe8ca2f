import { createParser } from 'eventsource-parser'
import { ApiError, ConnectionError, PrintyardError } from './errors.ts'
import type * as api from './generated/api.generated.ts'
import type { Connection } from './request.ts'
import { backoffMs, wait } from './waits.ts'

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

const longestWaitMs = 30_000
/** A comment comes every 15 seconds. */
const defaultSilenceMs = 30_000

/** A stream of a service, and what steers it besides what its followers say. */
interface EventSource extends Pick<StreamOptions, 'after' | 'onBreak'> {
  path: string
  /** Called whenever the connection is there. */
  onOpen?: () => void
  /** True when a refusal ends the stream. Default: each but those that may pass. */
  isFinal?: (refusal: ApiError) => boolean
  /** Silence after which the connection counts as broken, in milliseconds. Default: 30,000. */
  silenceMs?: number
  random?: () => number
}

/** The stream of events over breaks of the connection: no event of the feed is left out, and none comes twice. */
export class EventStream {
  readonly #connection: Connection
  readonly #source: EventSource
  #lastId: string | undefined
  #line: AbortController | undefined
  #pause: AbortController | undefined

  constructor(connection: Connection, source: EventSource) {
    this.#connection = connection
    this.#source = source
    this.#lastId = source.after
  }

  /** Frames until `signal` ends them; asked for again, they go on after the last. One reader at a time. */
  async *frames(signal?: AbortSignal): AsyncGenerator<Frame, void, undefined> {
    const { onBreak, isFinal = isForGood, random } = this.#source
    const isEnded = () => signal?.aborted === true
    for (let failures = 0; ; failures += 1) {
      const line = new AbortController()
      this.#line = line
      try {
        for await (const frame of this.#connect(line, signal)) {
          failures = 0
          if (frame.id !== undefined) this.#lastId = frame.id
          yield frame
        }
        throw new ConnectionError('The service ended the stream.')
      } catch (error) {
        if (isEnded()) return
        if (error instanceof ApiError && isFinal(error)) throw error
        onBreak?.(error)
        const asked = error instanceof ApiError ? error.retryAfterSeconds : null
        await this.#rest(asked === null ? backoffMs(failures, longestWaitMs, random) : asked * 1_000, signal)
        if (isEnded()) return
      } finally {
        line.abort()
      }
    }
  }

  /** Tries at once instead of when the wait is over. */
  hurry(): void {
    this.#pause?.abort()
  }

  /** Gives up the connection at hand, which may be dead without saying so. */
  renew(): void {
    this.#line?.abort(new ConnectionError('The connection was given up.'))
  }

  async *#connect(line: AbortController, signal: AbortSignal | undefined): AsyncGenerator<Frame, void, undefined> {
    const { path, onOpen, silenceMs = defaultSilenceMs } = this.#source
    const lastId = this.#lastId
    const headers = { accept: 'text/event-stream', ...(lastId !== undefined && { 'last-event-id': lastId }) }
    const ended = signal ? AbortSignal.any([signal, line.signal]) : line.signal
    const opened = this.#connection.open({ method: 'GET', path, options: { headers } }, ended)
    const response = await within(silenceMs, line, opened)
    onOpen?.()
    yield* readFrames(response, line, silenceMs)
  }

  async #rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const pause = new AbortController()
    this.#pause = pause
    const ended = signal ? AbortSignal.any([signal, pause.signal]) : pause.signal
    // What ends the wait early is no failure: the caller looks at its own signal.
    await wait(ms, ended).catch(() => undefined)
  }
}

const isForGood = ({ status }: ApiError) => status < 500 && status !== 429

/** Follows the stream of events of an account. */
export async function* followEvents(
  connection: Connection,
  { signal, ...options }: StreamOptions,
): AsyncGenerator<StreamMessage, void, undefined> {
  const stream = new EventStream(connection, { path: '/public/v1/events/stream', ...options })
  for await (const { event, id, data } of stream.frames(signal)) {
    if (data !== undefined) yield messageOf(event, id, data)
  }
}

/** A frame of server-sent events; one without data brings the ID to go on after. */
export interface Frame {
  id?: string
  event: string
  data?: string
}

function messageOf(event: string, id: string | undefined, data: string): StreamMessage {
  // The names and forms are those of docs/api/events.md; a name that came later is let through.
  return { event, ...(id !== undefined && { id }), data: JSON.parse(data) } as StreamMessage
}

/** Frames of server-sent events. @throws ConnectionError when nothing, not even a comment, came for `silenceMs`. */
async function* readFrames(
  response: Response,
  line: AbortController,
  silenceMs: number,
): AsyncGenerator<Frame, void, undefined> {
  if (response.body === null) throw new PrintyardError('The answer has no body to read events of.')
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  const { feed, taken } = parseFrames()
  try {
    for (;;) {
      const { done, value } = await within(silenceMs, line, reader.read())
      if (done) return
      feed(decoder.decode(value, { stream: true }))
      yield* taken()
    }
  } finally {
    reader.releaseLock()
  }
}

/** Reads pieces of a stream, and gives the frames that they have completed. */
function parseFrames(): { feed: (piece: string) => void; taken: () => Frame[] } {
  let frames: Frame[] = []
  const { feed } = createParser({
    // Told first of each frame that has an ID; without data it is all there is.
    onId: (id) => frames.push({ id, event: 'message' }),
    onEvent({ id, event = 'message', data }) {
      const isTold = id !== undefined && frames.at(-1)?.id === id && frames.at(-1)?.data === undefined
      if (isTold) frames.pop()
      frames.push({ ...(id !== undefined && { id }), event, data })
    },
  })
  const taken = () => {
    const complete = frames
    frames = []
    return complete
  }
  return { feed, taken }
}

async function within<T>(ms: number, line: AbortController, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => line.abort(new ConnectionError(`Nothing came for ${ms / 1_000} seconds.`)), ms)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}
