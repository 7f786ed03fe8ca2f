import { t } from '../../lib/i18n/t.ts'

/** Sheets and rolls that labels are printed on; `label-sheet.css` knows each by this name. */
export const labelSizes = {
  '62x29': { label: t('62 × 29 mm roll'), perSheet: 1 },
  '50x25': { label: t('50 × 25 mm roll'), perSheet: 1 },
  'a4-3x8': { label: t('A4 sheet, 3 × 8 (70 × 37 mm)'), perSheet: 24 },
  'a4-3x7': { label: t('A4 sheet, 3 × 7 (63.5 × 38.1 mm)'), perSheet: 21 },
} as const
export type LabelSize = keyof typeof labelSizes

export function readLabelSize(text: string | undefined): LabelSize {
  return text !== undefined && Object.hasOwn(labelSizes, text) ? (text as LabelSize) : '62x29'
}

/** What is on each sheet: labels from after those that are used up; undefined is an empty place. */
export function sheetsOf<Item>(items: readonly Item[], perSheet: number, used: number): (Item | undefined)[][] {
  const places = [...Array.from({ length: Math.min(used, perSheet - 1) }, () => undefined), ...items]
  return Array.from({ length: Math.ceil(places.length / perSheet) }, (_, sheet) =>
    places.slice(sheet * perSheet, (sheet + 1) * perSheet),
  )
}
