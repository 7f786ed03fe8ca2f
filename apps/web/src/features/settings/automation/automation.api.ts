import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { BodyOf, QueryOf } from '../../../lib/api/api-routes.ts'
import { pagedQuery } from '../../../lib/api/paged-query.ts'

export const automationRuleListQuery = () =>
  pagedQuery(['automation', 'rules'], 'GET /automation-rules', { query: { limit: 100 } })

export const automationRunListQuery = (filters: Pick<QueryOf<'GET /automation-runs'>, 'outcome'>) =>
  pagedQuery(['automation', 'runs', filters], 'GET /automation-runs', { query: { ...filters, limit: 50 } })

function useAutomationChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['automation'] }),
  })
}

/** @param id of the rule to change; without one a new one is added */
export const useSaveAutomationRule = (id?: string) =>
  useAutomationChange((body: BodyOf<'POST /automation-rules'>) =>
    id === undefined
      ? api.call('POST /automation-rules', { body })
      : api.call('PATCH /automation-rules/{id}', { params: { id }, body }),
  )
export const useSetMode = (id: string) =>
  useAutomationChange((mode: NonNullable<BodyOf<'PATCH /automation-rules/{id}'>['mode']>) =>
    api.call('PATCH /automation-rules/{id}', { params: { id }, body: { mode } }),
  )
export const useRemoveAutomationRule = () =>
  useAutomationChange((id: string) => api.call('DELETE /automation-rules/{id}', { params: { id } }))
