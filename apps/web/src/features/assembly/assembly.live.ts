import type { LiveRule } from '../../lib/live/live-rules.ts'

/** Kept apart from the calls: the first page loads them. */
export const assemblyLiveRules: readonly LiveRule[] = [
  {
    on: ['assembly_task.*'],
    keys: (id) => [
      ['assembly', 'list'],
      ['assembly', 'one', id],
    ],
  },
  // What is there of the parts, and how it is done.
  {
    on: ['inventory.*', 'material.*', 'wiki_article.*', 'order.*', 'sku.*', 'job.completed'],
    keys: () => [['assembly', 'one']],
  },
]
