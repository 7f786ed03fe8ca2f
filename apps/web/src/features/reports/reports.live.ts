import type { LiveRule } from '../../lib/live/live-rules.ts'

/** Kept apart from the calls: the first page loads them. */
export const reportLiveRules: readonly LiveRule[] = [
  {
    on: ['job.completed', 'job.failed', 'print_failure.*', 'order.*', 'inventory.*', 'material.*'],
    keys: () => [['reports']],
  },
]
