import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { BodyOf, QueryOf, Role } from '../../lib/api/api-routes.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'
import { makePasskey } from '../../lib/passkeys.ts'
import { leaveTo } from '../../lib/session.ts'
import { keyState } from './api-keys/key-state.ts'

export const accountQuery = () =>
  queryOptions({
    queryKey: ['account'],
    queryFn: ({ signal }) => api.call('GET /account', { signal }),
  })

export const usageQuery = () =>
  queryOptions({
    queryKey: ['account', 'usage'],
    queryFn: ({ signal }) => api.call('GET /account/usage', { signal }),
  })

export const schedulerSettingsQuery = () =>
  queryOptions({
    queryKey: ['scheduler', 'settings'],
    queryFn: ({ signal }) => api.call('GET /scheduler/settings', { signal }),
  })

export const orderSettingsQuery = () =>
  queryOptions({
    queryKey: ['orders', 'settings'],
    queryFn: ({ signal }) => api.call('GET /orders/settings', { signal }),
  })

export const memberListQuery = () => pagedQuery(['members', 'list'], 'GET /members', { query: { limit: 100 } })
export const invitationListQuery = () =>
  pagedQuery(['invitations', 'list'], 'GET /invitations', { query: { limit: 100 } })
export const apiKeyListQuery = () => pagedQuery(['api-keys', 'list'], 'GET /api-keys', { query: { limit: 50 } })

const mostKeysLookedAt = 100

/** The keys of a member that still work, the newest first; of more than a hundred the newest. */
export const workingKeysQuery = (userId: string) =>
  queryOptions({
    queryKey: ['api-keys', 'of', userId],
    queryFn: async ({ signal }) => {
      const query = { created_by: `user:${userId}`, limit: mostKeysLookedAt }
      const keys = await api.call('GET /api-keys', { query, signal })
      return keys.filter((key) => keyState(key, Date.now()) === 'works')
    },
  })
export const sessionListQuery = () => pagedQuery(['sessions', 'list'], 'GET /sessions', { query: { limit: 50 } })
export const auditQuery = (filters: QueryOf<'GET /audit'>) =>
  pagedQuery(['audit', filters], 'GET /audit', { query: { ...filters, limit: 50 } })

/** A change that refreshes what stands under these keys. */
function useChange<Input, Output>(change: (input: Input) => Promise<Output>, ...keys: readonly string[]) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] }))),
  })
}

/** Fields that another person changed meanwhile are not at stake: only what was changed here is sent. */
export const useChangeAccount = () =>
  useChange((body: BodyOf<'PATCH /account'>) => api.call('PATCH /account', { body }), 'account', 'scheduler', 'session')

export const useChangeScheduler = () =>
  useChange(
    (body: BodyOf<'PATCH /scheduler/settings'>) => api.call('PATCH /scheduler/settings', { body }),
    'scheduler',
    'jobs',
  )

export const useChangeOrderSettings = () =>
  useChange((body: BodyOf<'PATCH /orders/settings'>) => api.call('PATCH /orders/settings', { body }), 'orders')

export const useInvite = () =>
  useChange((body: BodyOf<'POST /invitations'>) => api.call('POST /invitations', { body }), 'invitations')

export const useWithdrawInvitation = () =>
  useChange((id: string) => api.call('DELETE /invitations/{id}', { params: { id } }), 'invitations')

export const useChangeRole = () =>
  useChange(
    ({ id, role }: { id: string; role: Role }) => api.call('PATCH /members/{id}', { params: { id }, body: { role } }),
    'members',
    'invitations',
  )

export const useRemoveMember = () =>
  useChange((id: string) => api.call('DELETE /members/{id}', { params: { id } }), 'members', 'invitations')

/** Who leaves has nothing to look at here any more. */
export const useLeaveAccount = () =>
  useMutation({
    mutationFn: (memberId: string) => api.call('DELETE /members/{id}', { params: { id: memberId } }),
    onSuccess: () => leaveTo('/sign-in'),
  })

export const useMakeResetLink = () =>
  useMutation({ mutationFn: (id: string) => api.call('POST /members/{id}/reset-link', { params: { id } }) })

export const useEndMemberSessions = () =>
  useMutation({ mutationFn: (id: string) => api.call('DELETE /members/{id}/sessions', { params: { id } }) })

export const useMakeApiKey = () =>
  useChange((body: BodyOf<'POST /api-keys'>) => api.call('POST /api-keys', { body }), 'api-keys')

export const useRevokeApiKey = () =>
  useChange((id: string) => api.call('DELETE /api-keys/{id}', { params: { id } }), 'api-keys')

export const useRevokeSession = () =>
  useChange((id: string) => api.call('DELETE /sessions/{id}', { params: { id } }), 'sessions')

export const useChangeProfile = () =>
  useChange((body: BodyOf<'PUT /profile'>) => api.call('PUT /profile', { body }), 'session', 'members')

export const useChangePassword = () =>
  useChange((body: BodyOf<'PUT /password'>) => api.call('PUT /password', { body }), 'sessions')

export const useBeginTotp = () => useMutation({ mutationFn: () => api.call('POST /totp') })

export const useConfirmTotp = () =>
  useChange((code: string) => api.call('POST /totp/confirm', { body: { code } }), 'session', 'sessions')

export const useRemoveTotp = () => useChange(() => api.call('POST /totp/remove'), 'session')

export const useRenewBackupCodes = () => useMutation({ mutationFn: () => api.call('POST /totp/backup-codes') })

export const passkeysQuery = () =>
  queryOptions({
    queryKey: ['passkeys'],
    queryFn: ({ signal }) => api.call('GET /passkeys', { signal }),
  })

export const useAddPasskey = () =>
  useChange(
    async (name: string) => {
      const { options } = await api.call('POST /passkeys/options')
      return api.call('POST /passkeys', { body: { name, response: await makePasskey(options) } })
    },
    'passkeys',
    'session',
    'sessions',
  )

export const useRenamePasskey = () =>
  useChange(
    ({ id, name }: { id: string; name: string }) =>
      api.call('PATCH /passkeys/{id}', { params: { id }, body: { name } }),
    'passkeys',
  )

export const useRemovePasskey = () =>
  useChange((id: string) => api.call('DELETE /passkeys/{id}', { params: { id } }), 'passkeys', 'session')
