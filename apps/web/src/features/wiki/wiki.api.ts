import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { BodyOf, QueryOf } from '../../lib/api/api-routes.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'
import type { Sent } from '../../lib/api/send-telling.ts'

type ArticleFilters = Omit<QueryOf<'GET /wiki'>, 'limit' | 'offset' | 'cursor'>

/** The newest first. */
export const articleListQuery = (filters: ArticleFilters) =>
  pagedQuery(['wiki', 'list', filters], 'GET /wiki', { query: { ...filters, limit: 50 } })

export const categoriesQuery = () =>
  queryOptions({
    queryKey: ['wiki', 'categories'],
    queryFn: ({ signal }) => api.rows('GET /wiki/categories', { query: { limit: 100 } }, signal),
  })

export const articleQuery = (id: string) =>
  queryOptions({
    queryKey: ['wiki', 'one', id],
    queryFn: ({ signal }) => api.call('GET /wiki/{idOrSlug}', { params: { idOrSlug: id }, signal }),
  })

/** The article to be changed, read when the editor opens: what others change meanwhile must not slip into it. */
export const editedArticleQuery = (id: string) =>
  queryOptions({
    queryKey: ['wiki', 'edited', id],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) => api.getTagged('GET /wiki/{idOrSlug}', { params: { idOrSlug: id }, signal }),
  })

/** The newest first. */
export const revisionsQuery = (id: string) =>
  pagedQuery(['wiki', 'revisions', id], 'GET /wiki/{id}/revisions', { params: { id }, query: { limit: 50 } })

export const revisionQuery = (id: string, number: number) =>
  queryOptions({
    queryKey: ['wiki', 'revision', id, number],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      api.call('GET /wiki/{id}/revisions/{number}', { params: { id, number: String(number) }, signal }),
  })

function useChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      for (const part of ['list', 'categories', 'one', 'revisions']) {
        void queryClient.invalidateQueries({ queryKey: ['wiki', part] })
      }
    },
  })
}

export const useAddArticle = () => useChange((body: BodyOf<'POST /wiki'>) => api.call('POST /wiki', { body }))

export type ArticleChanges = BodyOf<'PATCH /wiki/{idOrSlug}'>

export const useSaveArticle = (id: string) =>
  useChange(({ body, etag }: { body: ArticleChanges; etag: string | undefined }) =>
    api.call('PATCH /wiki/{idOrSlug}', {
      params: { idOrSlug: id },
      body,
      ...(etag !== undefined && { ifMatch: etag }),
    }),
  )

/** Keeps a picture for an article; answers its address as the service's own pages reach it. */
export async function addPicture(id: string, file: File, onSent: (sent: Sent) => void): Promise<string> {
  const body = new FormData()
  body.set('image', file, file.name)
  const { url } = await api.call('POST /wiki/{id}/images', { params: { id }, body, onSent })
  return url
}
