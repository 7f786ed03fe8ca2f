import type { LiveRule } from '../../lib/live/live-rules.ts'

/** Kept apart from the calls: the first page loads them. */
export const costLiveRules: readonly LiveRule[] = [
  {
    on: [
      'job.completed',
      'job.failed',
      'job.cancelled',
      'job.plate_completed',
      'job.units_rejected',
      'order.*',
      'bom.*',
      'recipe.*',
      'worklist_task.status_changed',
    ],
    keys: () => [
      ['costs', 'sku'],
      ['costs', 'job'],
      ['costs', 'order'],
    ],
  },
  { on: ['cost_settings.updated', 'material_price.updated'], keys: () => [['costs'], ['reports', 'margin']] },
]
