import { randomUUID } from 'node:crypto'
import type { HubMessageBody } from '@printyard/protocol/messages'
import { MAX_STILL_BYTES, type StillErrorCode } from '@printyard/protocol/still'

/** What came of asking a hub for a picture. */
export type StillAnswer =
  | { kind: 'still'; bytes: Buffer }
  | { kind: 'refused'; code: StillErrorCode; message: string }
  | { kind: 'offline' }
  | { kind: 'silent'; why: 'timeout' | 'hub_lost' }

/** All pictures that are being brought in may hold this much; beyond it a new one is refused. */
const mostHeldBytes = 128 * 1024 * 1024

const jpegStart = Buffer.from([0xff, 0xd8, 0xff])

interface Waiting {
  hubId: string
  printerId: string
  parts: Buffer[]
  bytes: number
  settle(answer: StillAnswer): void
}

/** Pictures that hubs were asked for and that have not wholly come yet. */
export interface StillRequests {
  /** Asks once. `send` gives the request to the hub and is false when it is not connected. */
  ask(
    to: { hubId: string; printerId: string; timeoutMs: number },
    send: (body: { request_id: string; printer_id: string }) => boolean,
  ): Promise<StillAnswer>
  /** A part that nobody waits for, or of another printer than was asked for, is dropped. */
  takePart(hubId: string, part: HubMessageBody<'still'>): void
  takeRefusal(hubId: string, refusal: HubMessageBody<'no_still'>): void
  loseHub(hubId: string): void
}

export function createStillRequests(): StillRequests {
  const waiting = new Map<string, Waiting>()
  let heldBytes = 0

  function find(hubId: string, { request_id, printer_id }: { request_id: string; printer_id: string }) {
    const wait = waiting.get(request_id)
    return wait?.hubId === hubId && wait.printerId === printer_id ? wait : undefined
  }

  return {
    ask({ hubId, printerId, timeoutMs }, send) {
      return new Promise((resolve) => {
        const requestId = randomUUID()
        const timer = setTimeout(() => settle({ kind: 'silent', why: 'timeout' }), timeoutMs)
        const wait: Waiting = { hubId, printerId, parts: [], bytes: 0, settle }
        function settle(answer: StillAnswer): void {
          clearTimeout(timer)
          if (waiting.delete(requestId)) heldBytes -= wait.bytes
          resolve(answer)
        }
        waiting.set(requestId, wait)
        if (!send({ request_id: requestId, printer_id: printerId })) settle({ kind: 'offline' })
      })
    },

    takePart(hubId, part) {
      const wait = find(hubId, part)
      if (!wait) return
      const bytes = Buffer.from(part.data, 'base64')
      wait.parts.push(bytes)
      wait.bytes += bytes.length
      heldBytes += bytes.length
      if (wait.bytes > MAX_STILL_BYTES || heldBytes > mostHeldBytes) {
        wait.settle({ kind: 'refused', code: 'TOO_LARGE', message: 'the picture is too large to be passed on' })
      } else if (part.is_last) {
        const still = Buffer.concat(wait.parts)
        // The hub has looked already; what leaves here under the name of a JPEG is one, whatever the hub says.
        const isJpeg = still.subarray(0, jpegStart.length).equals(jpegStart)
        wait.settle(
          isJpeg
            ? { kind: 'still', bytes: still }
            : { kind: 'refused', code: 'NOT_A_PICTURE', message: 'what came is no JPEG' },
        )
      }
    },

    takeRefusal(hubId, refusal) {
      find(hubId, refusal)?.settle({ kind: 'refused', code: refusal.code, message: refusal.message })
    },

    loseHub(hubId) {
      for (const wait of [...waiting.values()]) {
        if (wait.hubId === hubId) wait.settle({ kind: 'silent', why: 'hub_lost' })
      }
    },
  }
}
