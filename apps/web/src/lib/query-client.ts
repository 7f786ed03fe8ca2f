import { QueryClient } from '@tanstack/react-query'

/** What may pass is repeated by the SDK, for each call alike. What is shown stays fresh by live events, not by polling. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 60_000,
        gcTime: 10 * 60_000,
        refetchOnWindowFocus: false,
        // The service may be on this very machine: the browser's idea of being online says nothing of it.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
