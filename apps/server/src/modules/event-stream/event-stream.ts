import type { ServerResponse } from 'node:http'
import type { Actor } from '../../kernel/actor.ts'
import { canSee } from '../events/event-audience.ts'
import { type EventPosition, type EventRow, isAfter } from '../events/event-feed.queries.ts'
import { presentEvent } from '../events/events.schema.ts'

/** A reader who has not taken this much is too slow: it is cut off, and resumes where it was when it comes back. */
const mostUnsentBytes = 512 * 1024

/** Live values are worth nothing later: who has this much before them is spared them. */
const mostUnsentBeforeLive = 64 * 1024

/** Events that may wait while a stream is still reading what it missed. */
const mostHeldBack = 5_000

/** Time after which a browser comes back, in ms. */
const retryMs = 2_000

/** A frame of an event, made once for all who get it. */
interface EventFrame extends EventPosition {
  event: EventRow
  text: string
}

export function eventFrame(event: EventRow): EventFrame {
  const text = `id: ${event.id}\nevent: change\ndata: ${JSON.stringify(presentEvent(event))}\n\n`
  return { id: event.id, txid: event.txid, event, text }
}

/** A frame that is not resumed from. */
export function plainFrame(event: 'live' | 'hub' | 'candidates', data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/**
 * One open answer of server-sent events. While it reads what it missed, events that happen meanwhile are held back, so that
 * it gives every one of them once, and in order.
 */
export class EventStream {
  readonly actor: Actor
  readonly #response: ServerResponse
  #position: EventPosition
  #heldBack: EventFrame[] | undefined = []
  #isEnded = false

  constructor(actor: Actor, response: ServerResponse, from: EventPosition) {
    this.actor = actor
    this.#response = response
    this.#position = from
  }

  get position(): EventPosition {
    return this.#position
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Says how soon to come back, and where the stream begins: who comes back before anything happened misses nothing. */
  greet(): void {
    this.#write(`retry: ${retryMs}\n${this.#position.id === '' ? '' : `id: ${this.#position.id}\n`}\n`)
  }

  /** Says that events are missing, so that the reader gets everything again, and goes on from a later position. */
  reset(to: EventPosition): void {
    this.#position = to
    this.#write(`${to.id === '' ? '' : `id: ${to.id}\n`}event: reset\ndata: {}\n\n`)
  }

  /** An event that happens. */
  tell(frame: EventFrame): void {
    if (!this.#heldBack) {
      this.#give(frame)
      return
    }
    this.#heldBack.push(frame)
    if (this.#heldBack.length > mostHeldBack) this.cut()
  }

  /** An event that was missed. Resolves when the reader has room for the next ones. */
  async catchUp(frames: EventFrame[]): Promise<void> {
    for (const frame of frames) this.#give(frame)
    if (!this.#response.writableNeedDrain || this.#isEnded) return
    await new Promise<void>((resolve) => {
      const goOn = () => {
        this.#response.off('drain', goOn).off('close', goOn)
        resolve()
      }
      this.#response.once('drain', goOn).once('close', goOn)
    })
  }

  /** Everything that was missed is given: from here on events come as they happen. */
  beginLive(): void {
    const held = this.#heldBack ?? []
    this.#heldBack = undefined
    for (const frame of held) this.#give(frame)
  }

  /** Something that is true only now, for those who keep up. */
  sendLive(text: string): void {
    if (this.#response.writableLength <= mostUnsentBeforeLive) this.#write(text)
  }

  /** Shows that the line stands, to both ends and to what is between them. */
  beat(): void {
    this.#write(':\n\n')
  }

  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#response.end()
  }

  /** Ends it without waiting for what it has not taken. */
  cut(): void {
    this.#isEnded = true
    this.#response.destroy()
  }

  #give(frame: EventFrame): void {
    if (!isAfter(frame, this.#position)) return
    this.#position = { id: frame.id, txid: frame.txid }
    if (canSee(this.actor, frame.event)) this.#write(frame.text)
  }

  #write(text: string): void {
    if (this.#isEnded) return
    this.#response.write(text)
    if (this.#response.writableLength > mostUnsentBytes) this.cut()
  }
}
