import type { ReactNode } from 'react'
import { isSignedOut } from '../../lib/api/api-error.ts'
import { ErrorState } from './error-state.tsx'
import { LoadingRows } from './loading.tsx'

interface QueryViewProps<Data> {
  /** What `useQuery` or `useInfiniteQuery` gave. */
  query: { data: Data | undefined; error: unknown; refetch: () => unknown }
  /** What could not be done when it fails: `The printers could not be read`. */
  failed?: string
  loading?: ReactNode
  children: (data: NonNullable<Data>) => ReactNode
}

/** Data once it is there; before that its shape, and an error instead. Old data stays visible under a new error. */
export function QueryView<Data>({ query, failed, loading, children }: QueryViewProps<Data>) {
  const { data, refetch } = query
  // Anyone who is signed out is asked to sign in, over the page; then it is read again.
  const error = isSignedOut(query.error) ? null : query.error
  return (
    <>
      {error != null && (
        <ErrorState error={error} onRetry={() => void refetch()} {...(failed !== undefined && { title: failed })} />
      )}
      {data != null ? children(data) : error == null && (loading ?? <LoadingRows />)}
    </>
  )
}
