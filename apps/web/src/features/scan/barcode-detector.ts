/** The part of the browser's own reader of codes that is used here; the library of types has none. */
interface BarcodeDetector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
interface BarcodeDetectorConstructor {
  new (options: { formats: string[] }): BarcodeDetector
  getSupportedFormats(): Promise<string[]>
}

declare global {
  var BarcodeDetector: BarcodeDetectorConstructor | undefined
}

/** Why the camera cannot be used here, in a sentence for whoever holds the device; undefined: it can. */
export function whyNoCamera(): string | undefined {
  if (!globalThis.isSecureContext) {
    return 'Browsers give their camera only to pages with https. This page came by plain http, so use a hand scanner, or the camera app of the phone: it opens the address on the label.'
  }
  if (!navigator.mediaDevices?.getUserMedia) return 'This browser gives no camera to pages.'
  if (!globalThis.BarcodeDetector) {
    return 'This browser cannot read codes from a picture. Use the camera app of the phone (it opens the address on the label), or a hand scanner.'
  }
  return undefined
}

const lookEveryMs = 200

/**
 * Shows the camera in `video` and tells every code it sees, until `signal` ends it. Rejects when the camera is refused or
 * missing.
 */
export async function watchCodes(
  video: HTMLVideoElement,
  onCode: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { BarcodeDetector } = globalThis
  if (!BarcodeDetector || !(await BarcodeDetector.getSupportedFormats()).includes('qr_code')) {
    throw new Error('This browser cannot read QR codes from a picture.')
  }
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  try {
    signal.throwIfAborted()
    video.srcObject = stream
    await video.play()
    const detector = new BarcodeDetector({ formats: ['qr_code'] })
    while (!signal.aborted) {
      for (const { rawValue } of await detector.detect(video)) if (!signal.aborted) onCode(rawValue)
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    }
  } finally {
    for (const track of stream.getTracks()) track.stop()
    video.srcObject = null
  }
}
