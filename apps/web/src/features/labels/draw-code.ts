import { drawingSVG, qrcode } from 'bwip-js/browser'

// `eclevel` is a name of the encoder's own, which the types of the library leave out. Level M stands a label that is
// scratched or dusty; the padding is the quiet zone of four modules.
const look = { bcid: 'qrcode', eclevel: 'M', scale: 2, paddingwidth: 8, paddingheight: 8 }

/** A QR code of this text as SVG. */
export function drawCode(text: string): string {
  return qrcode({ ...look, text }, drawingSVG())
}
