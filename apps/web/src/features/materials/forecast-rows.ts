import type { MaterialForecast } from '../../lib/api/api-schema.generated.ts'
import { formatCount, formatGrams } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { colorWords } from '../../lib/words/color-words.ts'

/** Something of which there is too little. */
export interface Purchase {
  key: string
  kind: 'filament' | 'components' | 'packaging'
  /** Undefined for filament: any spool of the type and colour will do. */
  materialId: string | undefined
  name: string
  needed: string
  there: string
  missing: string
}

/** What must be bought, filament first. */
export function purchasesOf({ filament, items }: MaterialForecast): Purchase[] {
  return [
    ...filament
      .filter(({ to_buy_grams }) => to_buy_grams > 0)
      .map((row) => ({
        key: `${row.type} ${row.color} ${row.any_color}`,
        kind: 'filament' as const,
        materialId: undefined,
        name: [row.type || t('Filament of any type'), row.any_color ? t('in any colour') : colorWords(row.color)]
          .filter(Boolean)
          .join(' '),
        needed: formatGrams(row.needed_grams),
        there: formatGrams(row.available_grams),
        missing: formatGrams(row.to_buy_grams),
      })),
    ...items
      .filter(({ to_buy_units }) => to_buy_units > 0)
      .map((row) => ({
        key: row.material_id,
        kind: row.kind,
        materialId: row.material_id,
        name: [row.name || row.type, colorWords(row.color)].filter(Boolean).join(' '),
        needed: formatCount(row.needed_units),
        there: formatCount(row.on_hand_units),
        missing: formatCount(row.to_buy_units),
      })),
  ]
}
