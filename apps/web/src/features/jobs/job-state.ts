import { t } from '../../lib/i18n/t.ts'
import type { Tone } from '../../ui/tone.ts'

const words: Record<string, { tone: Tone; word: string }> = {
  queued: { tone: 'resting', word: t('Queued') },
  processing: { tone: 'working', word: t('Starting') },
  printing: { tone: 'working', word: t('Printing') },
  paused: { tone: 'waiting', word: t('Paused') },
  completed: { tone: 'done', word: t('Completed') },
  failed: { tone: 'trouble', word: t('Failed') },
  cancelled: { tone: 'away', word: t('Cancelled') },
}

/** Tone and word of a job's status; a status this page does not know is shown as it is spelt. */
export function presentJobStatus(status: string | null): { tone: Tone; word: string } {
  return (status !== null && words[status]) || { tone: 'unknown', word: status || t('Not known') }
}
