import { useMemo } from 'react'
import { drawCode } from './draw-code.ts'

/** A code as a picture: as an image of its own it needs nothing from the page's policy on styles, and prints sharp. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const source = useMemo(() => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawCode(text))}`, [text])
  return <img className="label-code" src={source} alt={label} />
}
