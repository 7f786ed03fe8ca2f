import type { LiveRule } from '../../lib/live/live-rules.ts'

/** Kept apart from the calls: the first page loads them. */
export const materialLiveRules: readonly LiveRule[] = [
  { on: ['material.*', 'filament.*'], keys: () => [['materials']] },
  { on: ['job.*', 'assembly_task.*', 'order.*'], keys: () => [['materials', 'forecast']] },
]
