/** What reads codes from a picture: the browser's own reader, or one of ours. The library of types has none. */
export interface CodeReader {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
interface CodeReaderClass {
  new (options: { formats: string[] }): CodeReader
  getSupportedFormats(): Promise<string[]>
}

declare global {
  var BarcodeDetector: CodeReaderClass | undefined
}

const options = { formats: ['qr_code'] }

/** The browser's own reader of QR codes, where it has one; Safari and Firefox are given ours, which is 0.5 MB to load. */
export async function openCodeReader(): Promise<CodeReader> {
  const Own = globalThis.BarcodeDetector
  // Some browsers have the reader on systems that cannot read any code.
  if (Own && (await Own.getSupportedFormats()).includes('qr_code')) return new Own(options)
  const { openZxingReader } = await import('./zxing-reader.ts')
  return openZxingReader()
}
