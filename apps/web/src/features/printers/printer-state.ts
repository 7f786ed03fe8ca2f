import { t } from '../../lib/i18n/t.ts'
import type { Tone } from '../../ui/tone.ts'

const words: Record<string, { tone: Tone; word: string }> = {
  idle: { tone: 'resting', word: t('Idle') },
  printing: { tone: 'working', word: t('Printing') },
  paused: { tone: 'waiting', word: t('Paused') },
  error: { tone: 'trouble', word: t('Error') },
  offline: { tone: 'away', word: t('Offline') },
  maintenance: { tone: 'waiting', word: t('In maintenance') },
}

/** Tone and word of a printer's status; a status this page does not know is shown as it is spelt. */
export function presentPrinterStatus(status: string | null): { tone: Tone; word: string } {
  return (status !== null && words[status]) || { tone: 'unknown', word: status || t('Not known') }
}
