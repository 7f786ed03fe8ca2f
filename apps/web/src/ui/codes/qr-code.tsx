import { lazy, Suspense } from 'react'
import './qr-code.css'

const Drawing = lazy(async () => ({ default: (await import('./qr-drawing.tsx')).QrDrawing }))

interface QrCodeProps {
  text: string
  /** What it is, for who cannot see it. */
  label: string
}

/** A QR code, drawn by this page: what is in it goes nowhere. Its generator is fetched when one is first shown. */
export function QrCode(props: QrCodeProps) {
  return (
    <Suspense fallback={<div className="qr-code" />}>
      <Drawing {...props} />
    </Suspense>
  )
}
