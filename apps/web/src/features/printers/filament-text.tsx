import type { LivePrinter } from '../../lib/api/api-schema.generated.ts'
import './filament-text.css'

interface FilamentTextProps extends Pick<LivePrinter, 'current_filament_type' | 'current_color' | 'current_color_hex'> {
  /** What stands there while nothing is known. */
  unknown?: string
}

/** What is loaded: a dot of its colour, and its words. */
export function FilamentText({
  current_filament_type,
  current_color,
  current_color_hex,
  unknown = 'Filament not known',
}: FilamentTextProps) {
  const words = [current_filament_type, current_color ?? current_color_hex].filter(Boolean).join(' ')
  if (words === '') return <>{unknown}</>
  return (
    <>
      {current_color_hex && <i className="filament-dot" style={{ backgroundColor: current_color_hex }} />}
      {words}
    </>
  )
}
