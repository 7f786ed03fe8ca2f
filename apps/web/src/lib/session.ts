import { type QueryClient, queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { api } from './api/api.ts'
import { isSignedOut } from './api/api-error.ts'
import type { Role, Scope } from './api/api-routes.ts'
import type { Session } from './api/api-schema.generated.ts'
import { closeNotices } from './notices.ts'
import { may } from './permissions.ts'

/** Who is signed in; null: no one. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal, client }): Promise<Session | null> => {
    try {
      return await api.call('GET /session', { signal })
    } catch (error) {
      // Under an open page the last session stays, and with it what was typed: `SessionExpired` asks for the password.
      if (isSignedOut(error)) return client.getQueryData<Session | null>(['session']) ?? null
      throw error
    }
  },
})

/** The session of a page behind sign-in. Under a page that stays open while its session ends, the last one is kept. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery)
  if (!data) throw new Error('this page is shown to people who are signed in')
  return data
}

/** Whether who is signed in may do what needs this scope, or at least this role: `const mayStart = useMay('control')`. */
export function useMay(need: Role | Scope): boolean {
  return may(useQuery(sessionQuery).data, need)
}

/** Another person or account: nothing read before may be shown any more. */
export function beginSession(queryClient: QueryClient, session: Session): void {
  const known = queryClient.getQueryData(sessionQuery.queryKey)
  queryClient.setQueryData(sessionQuery.queryKey, session)
  const isSame = known?.user.id === session.user.id && known.account.id === session.account.id
  if (isSame) void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  else queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
}

/** Goes on in a fresh page: nothing of what this one has read or was about to write is left, nor what is notified. */
export function leaveTo(path: '/' | '/sign-in'): void {
  void closeNotices(path === '/sign-in').finally(() => location.assign(path))
}
