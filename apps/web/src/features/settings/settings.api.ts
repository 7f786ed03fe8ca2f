import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'
import type { LiveRule } from '../../lib/live/live-rules.ts'

export const accountQuery = () =>
  queryOptions({
    queryKey: ['account'],
    queryFn: ({ signal }) => api.call('GET /account', { signal }),
  })

export const memberListQuery = () => pagedQuery(['members', 'list'], 'GET /members', { query: { limit: 100 } })
export const apiKeyListQuery = () => pagedQuery(['api-keys', 'list'], 'GET /api-keys', { query: { limit: 50 } })
export const sessionListQuery = () => pagedQuery(['sessions', 'list'], 'GET /sessions', { query: { limit: 50 } })
export const eventListQuery = () => pagedQuery(['events', 'list'], 'GET /events', { query: { limit: 50 } })

export const settingsLiveRules: readonly LiveRule[] = [
  { on: ['account.*'], keys: () => [['account'], ['session']] },
  { on: ['member.*', 'invitation.*'], keys: () => [['members'], ['invitations'], ['session']] },
  { on: ['api_key.*'], keys: () => [['api-keys']] },
]
