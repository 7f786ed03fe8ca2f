import { QueryClient } from '@tanstack/react-query'
import { ApiError, mayPass } from './api/api-error.ts'
import { backoffMs } from './backoff.ts'

const attempts = 3

/** Reads that may pass are repeated, refusals are not. What is shown stays fresh by live events, not by polling. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < attempts && mayPass(error),
        retryDelay: (failures, error) => (error instanceof ApiError && error.retryAfterMs) || backoffMs(failures),
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
