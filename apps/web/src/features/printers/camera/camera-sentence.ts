import type { ApiError } from '../../../lib/api/api-error.ts'

const byReason: Record<string, string> = {
  not_supported: 'This printer has no camera that gives single pictures.',
  camera_off: 'Its camera is switched off.',
  camera_unreachable: 'Its camera does not answer.',
  camera_refused: 'Its camera refuses the hub.',
  printer_unreachable: 'The printer does not answer its hub.',
  timeout: 'The camera took too long.',
  not_a_picture: 'What the camera sent is no picture.',
  too_large: 'The picture of the camera is too large.',
}

const byCode: Record<string, string> = {
  NO_HUB_ASSIGNED: 'Without a hub there is no picture.',
  HUB_OFFLINE: 'Its hub is not connected, so there is no picture.',
}

/** Why there is no picture, in a plain sentence. */
export function cameraSentence({ code, details, message }: ApiError): string {
  return byReason[reasonOf(details)] ?? byCode[code] ?? message
}

/** Whether asking again in a few seconds may help. */
export function mayHavePictureLater({ code, details }: ApiError): boolean {
  return !(code in byCode) && reasonOf(details) !== 'not_supported' && reasonOf(details) !== 'camera_off'
}

function reasonOf(details: unknown): string {
  const reason = typeof details === 'object' && details !== null && 'reason' in details ? details.reason : undefined
  return typeof reason === 'string' ? reason : ''
}
