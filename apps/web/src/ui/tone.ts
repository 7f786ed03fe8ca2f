import type { IconName } from './icon.tsx'

/** How a state wants to be seen. Colour and symbol follow from it; the word beside them carries the meaning. */
export type Tone = 'working' | 'waiting' | 'resting' | 'done' | 'trouble' | 'away' | 'unknown'

export const toneIcons: Record<Tone, IconName> = {
  working: 'play',
  waiting: 'pause',
  resting: 'idle',
  done: 'check',
  trouble: 'warning',
  away: 'away',
  unknown: 'unknown',
}
