import type { LivePrinter } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { colorWords } from '../../lib/words/color-words.ts'
import { ColorDot } from '../../ui/lists/color-dot.tsx'

interface FilamentTextProps extends Pick<LivePrinter, 'current_filament_type' | 'current_color' | 'current_color_hex'> {
  /** What stands there while nothing is known. */
  unknown?: string
}

/** What is loaded: a dot of its colour, and its words. */
export function FilamentText({
  current_filament_type,
  current_color,
  current_color_hex,
  unknown = t('Filament not known'),
}: FilamentTextProps) {
  const words = [current_filament_type, current_color ?? colorWords(current_color_hex ?? '')].filter(Boolean).join(' ')
  if (words === '') return <>{unknown}</>
  return (
    <>
      <ColorDot hex={current_color_hex} />
      {words}
    </>
  )
}
