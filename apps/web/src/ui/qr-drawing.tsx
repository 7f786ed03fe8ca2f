import { type DrawingContext, qrcode } from 'bwip-js/browser'
import { useMemo } from 'react'
import './qr-code.css'

/** What scanners need around a code, in modules of it. */
const quietModules = 4

interface Drawn {
  size: number
  path: string
}

/** Loads the generator: reach it by `QrCode`, which fetches it when it is needed. */
export function QrDrawing({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => qrcode({ bcid: 'qrcode', text, scale: 1 }, pathDrawing()), [text])
  const whole = size + 2 * quietModules
  return (
    <svg
      className="qr-code"
      viewBox={`${-quietModules} ${-quietModules} ${whole} ${whole}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="currentColor" fillRule="evenodd" />
    </svg>
  )
}

/** A QR code of squares is polygons alone; whatever else the generator could draw does not come. */
const unused = () => undefined

/** Gathers the polygons of a code in one path. */
function pathDrawing(): DrawingContext<Drawn> {
  let size = 0
  let path = ''
  return {
    scale: () => null,
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init(width) {
      size = width
    },
    polygon(points) {
      path += `M${points.map(([x, y]) => `${x} ${y}`).join('L')}Z`
    },
    line: unused,
    hexagon: unused,
    ellipse: unused,
    fill: unused,
    text: unused,
    end: () => ({ size, path }),
  }
}
