import { correction, generate } from 'lean-qr'
import { toSvgSource } from 'lean-qr/extras/svg'

/** A QR code of this text as SVG, of level M: it stands a label that is scratched or dusty. */
export function drawCode(text: string): string {
  const code = generate(text, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M })
  return toSvgSource(code, { on: '#000', off: '#fff' })
}
