import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import { useMemo } from 'react'
import './qr-code.css'

/** What scanners need around a code, in modules of it. */
const quietModules = 4

/** Loads the generator: reach it by `QrCode`, which fetches it when it is needed. */
export function QrDrawing({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const code = generate(text)
    return { size: code.size, path: toSvgPath(code) }
  }, [text])
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
