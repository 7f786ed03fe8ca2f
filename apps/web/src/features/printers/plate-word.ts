import type { LivePrinter } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'

const words: Record<LivePrinter['plate_state'], string> = {
  clear: t('Plate clear'),
  occupied: t('Plate in use'),
  unknown: t('Plate not known'),
}

/** The plate in two or three words. */
export function plateWord(state: LivePrinter['plate_state']): string {
  return words[state]
}
