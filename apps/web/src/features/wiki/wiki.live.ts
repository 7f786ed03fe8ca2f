import type { LiveRule } from '../../lib/live/live-rules.ts'

/** Kept apart from the calls: the first page loads them. What is being edited is not read again. */
export const wikiLiveRules: readonly LiveRule[] = [
  {
    on: ['wiki_article.*'],
    keys: (id) => [
      ['wiki', 'list'],
      ['wiki', 'categories'],
      ['wiki', 'one', id],
      ['wiki', 'revisions', id],
    ],
  },
]
