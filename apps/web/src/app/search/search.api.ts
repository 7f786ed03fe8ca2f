import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'

/** A single character is in nearly every name. */
export const leastLetters = 2

/** What of the farm has these words, a few of each kind. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: ({ signal }) => api.call('GET /search', { query: { q: text }, signal }),
    enabled: text.length >= leastLetters,
    // While one types on, what was found changes and does not vanish.
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  })
