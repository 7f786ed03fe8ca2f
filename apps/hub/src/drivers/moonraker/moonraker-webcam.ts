import { StillError } from '../camera/still-error.ts'
import { memberOf, textIn } from '../wire/wire-values.ts'

/** The snapshot address of the first webcam of `server.webcams.list` that is on. Throws a `StillError` when there is none. */
export function snapshotAddress(answer: unknown): string {
  const listed = memberOf(answer, 'webcams')
  const webcams = Array.isArray(listed) ? listed : []
  const usable = webcams.filter((webcam) => textIn(memberOf(webcam, 'snapshot_url')) !== null)
  const named = usable.find((webcam) => memberOf(webcam, 'enabled') !== false)
  if (!named) {
    throw usable.length > 0
      ? new StillError('CAMERA_OFF', 'the webcam is switched off in Moonraker')
      : new StillError('NOT_SUPPORTED', 'no webcam with a snapshot address is set up in Moonraker')
  }
  return textIn(memberOf(named, 'snapshot_url'), 2_000) ?? ''
}
