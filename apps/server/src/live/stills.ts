import { randomUUID } from 'node:crypto'
import { MAX_STILL_BYTES } from '@printyard/protocol/still'
import type { HubId, PrinterId } from '../kernel/ids.ts'
import type { HubMessageBody } from './hub-messages.ts'
import type { PendingAnswers, StillAnswer } from './pending.ts'

/** All pictures that are being brought in may hold this much; beyond it a new one is refused. */
const mostHeldBytes = 128 * 1024 * 1024

const jpegStart = Buffer.from([0xff, 0xd8, 0xff])

interface Picture {
  printerId: PrinterId
  parts: Buffer[]
  bytes: number
}

/** Pictures that hubs were asked for, and the parts of them that have come. */
export class Stills {
  readonly #pending: PendingAnswers
  readonly #coming = new Map<string, Picture>()
  #heldBytes = 0

  constructor(pending: PendingAnswers) {
    this.#pending = pending
  }

  /** Asks once. `send` gives the request to the hub and is false when it is not connected. */
  async ask(
    { hubId, printerId, timeoutMs }: { hubId: HubId; printerId: PrinterId; timeoutMs: number },
    send: (body: { request_id: string; printer_id: PrinterId }) => boolean,
  ): Promise<StillAnswer> {
    const id = randomUUID()
    const picture: Picture = { printerId, parts: [], bytes: 0 }
    this.#coming.set(id, picture)
    const answer = await this.#pending.wait('still', { hubId, id, timeoutMs }, (settle) => {
      if (!send({ request_id: id, printer_id: printerId })) settle({ kind: 'offline' })
    })
    this.#coming.delete(id)
    this.#heldBytes -= picture.bytes
    return answer
  }

  /** Adds a part. One that is not waited for any more, or is of another printer than was asked for, is dropped. */
  takePart(hubId: HubId, part: HubMessageBody<'still'>): void {
    const picture = this.#find(hubId, part)
    if (!picture) return
    const bytes = Buffer.from(part.data, 'base64')
    picture.parts.push(bytes)
    picture.bytes += bytes.length
    this.#heldBytes += bytes.length
    if (picture.bytes > MAX_STILL_BYTES || this.#heldBytes > mostHeldBytes) {
      const message = 'the picture is too large to be passed on'
      this.#pending.answer('still', hubId, part.request_id, { kind: 'refused', code: 'TOO_LARGE', message })
    } else if (part.is_last) {
      this.#pending.answer('still', hubId, part.request_id, readJpeg(Buffer.concat(picture.parts)))
    }
  }

  takeRefusal(hubId: HubId, refusal: HubMessageBody<'no_still'>): void {
    if (!this.#find(hubId, refusal)) return
    const { code, message } = refusal
    this.#pending.answer('still', hubId, refusal.request_id, { kind: 'refused', code, message })
  }

  #find(hubId: HubId, { request_id, printer_id }: { request_id: string; printer_id: PrinterId }): Picture | undefined {
    const picture = this.#coming.get(request_id)
    if (picture?.printerId !== printer_id || !this.#pending.isWaiting('still', hubId, request_id)) return undefined
    return picture
  }
}

/** The hub has looked already; what leaves here under the name of a JPEG is one, whatever the hub says. */
function readJpeg(bytes: Buffer): StillAnswer {
  return bytes.subarray(0, jpegStart.length).equals(jpegStart)
    ? { kind: 'still', bytes }
    : { kind: 'refused', code: 'NOT_A_PICTURE', message: 'what came is no JPEG' }
}
