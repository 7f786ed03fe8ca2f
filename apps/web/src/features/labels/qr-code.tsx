import { drawingSVG, qrcode } from 'bwip-js/browser'
import { useMemo } from 'react'

// `eclevel` is a name of the encoder's own, which the types of the library leave out.
const look = { bcid: 'qrcode', eclevel: 'M', scale: 2, paddingwidth: 8, paddingheight: 8 }

/**
 * A code as a picture. As an image of its own it needs nothing from the page's policy on styles, and prints sharp at any
 * size. Level M stands a label that is scratched or dusty; the quiet zone of four modules is part of the picture.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const source = useMemo(() => {
    const svg = qrcode({ ...look, text }, drawingSVG())bcid: 'qrcode', text, eclevel: 'M', scale: 2, paddingwidth: 8, paddingheight: 8 ,
      drawingSVG(),
    )
    return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  }, [text])
  return <img className="label-code" src={source} alt={label} data-code={text} />
}
