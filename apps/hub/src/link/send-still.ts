import type { HubMessageBody, ServiceMessageBody } from '@printyard/protocol/messages'
import { STILL_PART_BYTES } from '@printyard/protocol/still'
import { asStillError } from '../drivers/camera/still-error.ts'
import { wait } from '../util/clock.ts'
import type { Link } from './link.ts'

/** More than this waiting for the network, and the next part of a picture lets everything else go first. */
const MOST_WAITING_BYTES = 256 * 1024
const LOOK_AGAIN_MS = 20
/** No one waits for a picture for longer than this. */
const GIVE_UP_MS = 15_000

/** Answers one `snapshot`: the picture in parts, or the reason why there is none. Never rejects. */
export async function sendStill(
  request: ServiceMessageBody<'snapshot'>,
  take: (printerId: string) => Promise<Buffer>,
  link: Pick<Link, 'send' | 'backlogBytes'>,
): Promise<void> {
  const { request_id, printer_id } = request
  let still: Buffer
  try {
    still = await take(printer_id)
  } catch (cause) {
    const { code, message } = asStillError(cause)
    const body: HubMessageBody<'no_still'> = { request_id, printer_id, code, message: message.slice(0, 500) }
    link.send('no_still', body)
    return
  }
  const giveUp = AbortSignal.timeout(GIVE_UP_MS)
  for (let start = 0; start < still.length; start += STILL_PART_BYTES) {
    while (link.backlogBytes > MOST_WAITING_BYTES) {
      if (giveUp.aborted) return
      await wait(LOOK_AGAIN_MS, giveUp).catch(() => undefined)
    }
    const end = start + STILL_PART_BYTES
    const data = still.subarray(start, end).toString('base64')
    // After a reconnect no one waits for it any more.
    if (!link.send('still', { request_id, printer_id, data, is_last: end >= still.length })) return
  }
}
