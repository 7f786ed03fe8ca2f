import { t } from '../../lib/i18n/t.ts'
import { openCodeReader } from './code-reader.ts'

/** Why the camera cannot be used here, as a sentence to show; undefined: it can. */
export function whyNoCamera(): string | undefined {
  if (!globalThis.isSecureContext) {
    return t(
      'Browsers give their camera only to pages with https. This page came by plain http, so use a hand scanner, or the camera app of the phone: it opens the address on the label.',
    )
  }
  if (!navigator.mediaDevices?.getUserMedia) return t('This browser gives no camera to pages.')
  return undefined
}

const lookEveryMs = 200

/**
 * Shows the camera in `video` and reports every code in its picture, until `signal` ends it. Rejects when the camera is
 * refused or missing, or the reader of codes cannot be loaded.
 */
export async function watchCodes(
  video: HTMLVideoElement,
  onCode: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const reader = await openCodeReader()
  signal.throwIfAborted()
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  try {
    signal.throwIfAborted()
    video.srcObject = stream
    await video.play()
    while (!signal.aborted) {
      for (const { rawValue } of await reader.detect(video)) if (!signal.aborted) onCode(rawValue)
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    }
  } finally {
    for (const track of stream.getTracks()) track.stop()
    video.srcObject = null
  }
}
