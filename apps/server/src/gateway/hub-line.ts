import type { Writable } from 'node:stream'
import { readHubFrame } from '@printyard/protocol/hub-frames'
import type { ServiceMessageBody } from '@printyard/protocol/messages'
import { HEARTBEAT_INTERVAL_MS } from '@printyard/protocol/version'
import type { FastifyBaseLogger } from 'fastify'
import type { RawData, WebSocket } from 'ws'
import { holdForTurn } from '../kernel/hold-for-turn.ts'
import { type FromHub, fromHub } from '../live/hub-messages.ts'
import { type HubSocket, serviceFrame } from '../live/hubs.ts'
import { createFrameBudget, type FrameBudget } from './frame-budget.ts'

/** Without a frame or pong for this long the connection is dead, although it was not closed. */
const silenceTimeoutMs = 3 * HEARTBEAT_INTERVAL_MS

export type HubFrame = FromHub<ReturnType<typeof readHubFrame>>

/** The connection of one hub. */
export interface HubWire {
  socket: WebSocket
  /** What its frames are written to. */
  stream: Pick<Writable, 'cork' | 'uncork' | 'writableCorked'>
}

/** The socket of one hub: reads and writes frames, holds back a hub that sends too much, and ends one that is silent. */
export class HubLine implements HubSocket {
  readonly #socket: WebSocket
  readonly #stream: HubWire['stream']
  readonly #log: FastifyBaseLogger
  readonly #budget = createFrameBudget()
  readonly #ofAccount: FrameBudget
  #aliveTimer: NodeJS.Timeout | undefined
  #lastFrameAtMs = performance.now()
  #hasLeft = false
  /** Lines beyond the budget of the connection that no written line has told of yet. */
  #leftOut = 0
  /** A hub ignores what comes before its welcome: what is sent meanwhile follows it. */
  #held: string[] | undefined = []

  /** @param ofAccount what all hubs of its account may send together */
  constructor({ socket, stream }: HubWire, log: FastifyBaseLogger, ofAccount: FrameBudget) {
    this.#socket = socket
    this.#stream = stream
    this.#log = log
    this.#ofAccount = ofAccount
  }

  open(on: { frame(frame: HubFrame): void; end(): void }): void {
    this.#aliveTimer = setInterval(() => {
      if (performance.now() - this.#lastFrameAtMs > silenceTimeoutMs) this.#socket.terminate()
      else this.#socket.ping()
    }, HEARTBEAT_INTERVAL_MS)
    this.#socket.on('message', (data, isBinary) => {
      this.#lastFrameAtMs = performance.now()
      if (this.#hasLeft) return
      const [bytes, nowMs] = [sizeOf(data), this.#lastFrameAtMs]
      this.#holdBack(Math.max(this.#budget.take(bytes, nowMs), this.#ofAccount.take(bytes, nowMs)))
      on.frame(isBinary ? { kind: 'invalid', problem: 'binary' } : fromHub(readHubFrame(String(data))))
    })
    this.#socket.on('pong', () => {
      this.#lastFrameAtMs = performance.now()
    })
    this.#socket.on('error', (error) => {
      this.#log.warn({ err: error }, 'the connection of a hub failed')
    })
    this.#socket.on('close', () => on.end())
  }

  /** Reads nothing any more. */
  leave(): void {
    this.#hasLeft = true
    clearInterval(this.#aliveTimer)
  }

  /** Sends a frame after the welcome. */
  send(frame: string): void {
    if (this.#held) this.#held.push(frame)
    else this.sendNow(frame)
  }

  /** Frames of one turn of the event loop leave together: a round of the scheduler sends many. */
  sendNow(frame: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    holdForTurn(this.#stream)
    this.#socket.send(frame)
  }

  /** Sends what was held until the welcome. */
  sendHeld(): void {
    for (const frame of this.#held ?? []) this.sendNow(frame)
    this.#held = undefined
  }

  close(code: number, reason: string): void {
    this.sendHeld()
    this.#socket.close(code, reason)
  }

  /** Ends a connection at which something is wrong. */
  refuse(body: ServiceMessageBody<'close'>): void {
    this.sendNow(serviceFrame('close', body))
    this.#socket.close(1008, body.reason)
  }

  /** Answers whether the budgets of the connection and of its account still have a line. */
  takeLogLine(): ReturnType<FrameBudget['takeLogLine']> {
    const own = this.#budget.takeLogLine(performance.now())
    if (!own.isWritten) return own
    this.#leftOut += own.leftOut
    const ofAccount = this.#ofAccount.takeLogLine(performance.now())
    if (!ofAccount.isWritten) return ofAccount
    const leftOut = this.#leftOut + ofAccount.leftOut
    this.#leftOut = 0
    return { isWritten: true, leftOut }
  }

  /** Reads nothing more from the socket for a while: what the hub sends waits at the hub, and other hubs do not. */
  #holdBack(ms: number): void {
    if (ms <= 0 || this.#socket.isPaused) return
    this.#log.warn({ ms }, 'a hub sends more than its connection may; it is held back')
    this.#socket.pause()
    setTimeout(() => {
      // What it said meanwhile was not read, and it was not silent.
      this.#lastFrameAtMs = performance.now()
      this.#socket.resume()
    }, ms).unref()
  }
}

function sizeOf(data: RawData): number {
  return Array.isArray(data) ? data.reduce((sum, part) => sum + part.length, 0) : data.byteLength
}
