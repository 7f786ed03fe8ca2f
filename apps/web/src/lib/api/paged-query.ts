import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import { api } from './api.ts'
import type { CallOptions, Page } from './api-client.ts'
import type { ListName, RowOf } from './api-routes.ts'

/**
 * Options for `useInfiniteQuery` over a list of the service, page after page by cursor:
 * `pagedQuery(['jobs', 'list', filters], 'GET /jobs', { query: filters })`. Its rows: `rowsOf(result.data)`.
 */
export function pagedQuery<Name extends ListName>(
  queryKey: readonly unknown[],
  name: Name,
  options?: Omit<CallOptions<Name>, 'signal'>,
) {
  return infiniteQueryOptions({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => api.pageAfter(name, options, pageParam, signal),
    getNextPageParam: (page: Page<RowOf<Name>>) => page.nextCursor ?? undefined,
  })
}

interface PagedResult {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

/** How a table reads on. */
export interface MorePages {
  /** Undefined: all is here. */
  onMore: (() => void) | undefined
  isLoadingMore: boolean
}

/** `<FileTable files={rows} {...morePages(list)} />` */
export function morePages({ hasNextPage, isFetchingNextPage, fetchNextPage }: PagedResult): MorePages {
  return { onMore: hasNextPage ? () => void fetchNextPage() : undefined, isLoadingMore: isFetchingNextPage }
}

/** The rows of all pages read so far. */
export function rowsOf<Row>(data: InfiniteData<Page<Row>, unknown> | undefined): Row[] | undefined {
  return data?.pages.flatMap((page) => page.rows)
}
