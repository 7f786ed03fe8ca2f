import type { ApiError } from '../../../lib/api/api-error.ts'
import { t } from '../../../lib/i18n/t.ts'

const byReason: Record<string, string> = {
  not_supported: t('This printer has no camera that gives single pictures.'),
  camera_off: t('Its camera is switched off.'),
  camera_unreachable: t('Its camera does not answer.'),
  camera_refused: t('Its camera refuses the hub.'),
  printer_unreachable: t('The printer does not answer its hub.'),
  timeout: t('The camera took too long.'),
  not_a_picture: t('The camera sent data that is not a picture.'),
  too_large: t('The picture of the camera is too large.'),
}

const byCode: Record<string, string> = {
  NO_HUB_ASSIGNED: t('Without a hub there is no picture.'),
  HUB_OFFLINE: t('Its hub is not connected, so there is no picture.'),
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
