import type { LivePrinter } from '../../lib/api/api-schema.generated.ts'
import './filament-text.css'

type Loaded = Pick<LivePrinter, 'current_filament_type' | 'current_color' | 'current_color_hex'>

/** What is loaded: a dot of its colour, and its words. */
export function FilamentText({ current_filament_type, current_color, current_color_hex }: Loaded) {
  const words = [current_filament_type, current_color ?? current_color_hex].filter(Boolean).join(' ')
  if (words === '') return <>Filament not known</>
  return (
    <>
      {current_color_hex && <i className="filament-dot" style={{ backgroundColor: current_color_hex }} />}
      {words}
    </>
  )
}
