/** The largest picture that is passed on; cameras of printers make a tenth of it. */
export const MAX_STILL_BYTES = 2 * 1024 * 1024

/** A picture travels in parts of at most this size, each base64 in a frame of its own, so that other frames get between. */
export const STILL_PART_BYTES = 96 * 1024

/** For so long a picture answers everybody who asks; no camera of a printer makes more than one a second worth having. */
export const STILL_FRESH_MS = 1_000

/**
 * Reason why there is no picture. `NOT_SUPPORTED`: the printer has no camera, or none that gives single pictures. `CAMERA_OFF`: it
 * is switched off, or has no picture yet. `CAMERA_REFUSED`: it does not take our credentials, or its address is not one that
 * the hub may ask. `TIMEOUT`: it began to answer, or did not, and no whole picture came in time. `NOT_A_PICTURE`: what came
 * is no JPEG. `TOO_LARGE`: it is larger than `MAX_STILL_BYTES`.
 */
export const stillErrorCodes = [
  'NOT_SUPPORTED',
  'UNKNOWN_PRINTER',
  'PRINTER_UNREACHABLE',
  'CAMERA_UNREACHABLE',
  'CAMERA_OFF',
  'CAMERA_REFUSED',
  'TIMEOUT',
  'NOT_A_PICTURE',
  'TOO_LARGE',
  'INTERNAL',
] as const
export type StillErrorCode = (typeof stillErrorCodes)[number]
