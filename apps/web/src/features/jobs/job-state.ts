import type { Tone } from '../../ui/tone.ts'

const words: Record<string, { tone: Tone; word: string }> = {
  queued: { tone: 'resting', word: 'Queued' },
  processing: { tone: 'working', word: 'Starting' },
  printing: { tone: 'working', word: 'Printing' },
  paused: { tone: 'waiting', word: 'Paused' },
  completed: { tone: 'done', word: 'Completed' },
  failed: { tone: 'trouble', word: 'Failed' },
  cancelled: { tone: 'away', word: 'Cancelled' },
}

/** Tone and word of a job's status; a status this page does not know is shown as it is spelt. */
export function presentJobStatus(status: string | null): { tone: Tone; word: string } {
  return (status !== null && words[status]) || { tone: 'unknown', word: status || 'Not known' }
}
