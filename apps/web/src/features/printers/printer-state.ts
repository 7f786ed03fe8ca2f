import type { Tone } from '../../ui/tone.ts'

const words: Record<string, { tone: Tone; word: string }> = {
  idle: { tone: 'resting', word: 'Idle' },
  printing: { tone: 'working', word: 'Printing' },
  paused: { tone: 'waiting', word: 'Paused' },
  error: { tone: 'trouble', word: 'Error' },
  offline: { tone: 'away', word: 'Offline' },
  maintenance: { tone: 'waiting', word: 'In maintenance' },
}

/** Tone and word of a printer's status; a status this page does not know is shown as it is spelt. */
export function presentPrinterStatus(status: string | null): { tone: Tone; word: string } {
  return (status !== null && words[status]) || { tone: 'unknown', word: status || 'Not known' }
}
