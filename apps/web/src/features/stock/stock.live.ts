import type { LiveRule } from '../../lib/live/live-rules.ts'

/** Kept apart from the calls: the first page loads them. */
export const stockLiveRules: readonly LiveRule[] = [
  {
    on: ['inventory.*', 'sku.*', 'product.*', 'job.completed', 'job.units_rejected', 'assembly_task.*', 'order.*'],
    keys: () => [['stock']],
  },
  // What a kit is put together from decides how many can be built.
  { on: ['material.*'], keys: () => [['stock', 'one']] },
]
