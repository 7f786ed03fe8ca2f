import { drawingSVG, qrcode } from 'bwip-js/browser'
import { useMemo } from 'react'

// `eclevel` is a name of the encoder's own, which the types of the library leave out. Level M stands a label that is
// scratched or dusty; the padding is the quiet zone of four modules.
const look = { bcid: 'qrcode', eclevel: 'M', scale: 2, paddingwidth: 8, paddingheight: 8 }

/** A code as a picture: as an image of its own it needs nothing from the page's policy on styles, and prints sharp. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const source = useMemo(() => {
    const svg = qrcode({ ...look, text }, drawingSVG())
    return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  }, [text])
  return <img className="label-code" src={source} alt={label} data-code={text} />
}
