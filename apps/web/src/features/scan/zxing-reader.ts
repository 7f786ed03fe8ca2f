import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill'
import zxingUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import type { CodeReader } from './code-reader.ts'

/** Loads the reader at once, so that a device that cannot run it says so before the camera is opened. */
export async function openZxingReader(): Promise<CodeReader> {
  // Left alone, the library fetches its program from a CDN.
  await prepareZXingModule({ overrides: { locateFile: () => zxingUrl }, fireImmediately: true })
  return new BarcodeDetector({ formats: ['qr_code'] })
}
