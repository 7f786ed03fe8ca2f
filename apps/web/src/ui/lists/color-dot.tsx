import './color-dot.css'

/** A dot of a colour whose name stands beside it; nothing while the colour is not known. */
export function ColorDot({ hex }: { hex: string | null }) {
  return hex ? <i className="color-dot" style={{ backgroundColor: hex }} /> : null
}
