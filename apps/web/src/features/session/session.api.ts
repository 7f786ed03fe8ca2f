import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { BodyOf, DataOf } from '../../lib/api/api-routes.ts'
import { answerByPasskey } from '../../lib/passkeys.ts'
import { beginSession, leaveTo, sessionQuery } from '../../lib/session.ts'

/** Whether no user exists yet, so that the first one is to be made. */
export const setupNeededQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => api.call('GET /setup', { signal }),
  staleTime: 0,
})

/** Whether people may sign in by a provider of the farm's own, and what it is called. */
export const providerQuery = queryOptions({
  queryKey: ['oidc'],
  queryFn: ({ signal }) => api.call('GET /oidc', { signal }),
})

export function useSignIn() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: BodyOf<'POST /sign-in'>) => {
      const session = await api.call('POST /sign-in', { body })
      const account = queryClient.getQueryData(sessionQuery.queryKey)?.account
      // Anyone who signs in again below an open page goes on in the account it shows.
      const isElsewhere = account !== undefined && account.id !== session.account.id
      const isMember = session.accounts.some(({ id }) => id === account?.id)
      if (!isElsewhere || !isMember) return session
      return api.call('PUT /session/account', { body: { account_id: account.id } })
    },
    onSuccess: (session) => beginSession(queryClient, session),
  })
}

/** Goes to the provider; with the token of an invitation that the person says yes to by it. */
export function useProviderSignIn() {
  return useMutation({
    mutationFn: async (invitation?: string) => {
      const { url } = await api.call('POST /oidc/start', { body: invitation === undefined ? {} : { invitation } })
      location.assign(url)
    },
  })
}

export function usePasskeySignIn() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const { options } = await api.call('POST /passkeys/sign-in/options')
      const session = await api.call('POST /passkeys/sign-in', { body: { response: await answerByPasskey(options) } })
      const account = queryClient.getQueryData(sessionQuery.queryKey)?.account
      // As with a password: an open page goes on in the account that it shows.
      const isMember = session.accounts.some(({ id }) => id === account?.id)
      if (account === undefined || account.id === session.account.id || !isMember) return session
      return api.call('PUT /session/account', { body: { account_id: account.id } })
    },
    onSuccess: (session) => beginSession(queryClient, session),
  })
}

/** What a person whom the provider has proven is invited to. */
export const providerInvitationsQuery = queryOptions({
  queryKey: ['oidc', 'invitations'],
  queryFn: ({ signal }) => api.call('GET /oidc/invitations', { signal }),
  retry: false,
})

export function useJoinByProvider() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (invitationId: string) =>
      api.call('POST /oidc/invitations/accept', { body: { invitation_id: invitationId } }),
    onSuccess: (session) => beginSession(queryClient, session),
  })
}

export type ProofMethod = DataOf<'GET /proof'>['methods'][number]

export function useProve() {
  return useMutation({ mutationFn: (body: BodyOf<'POST /proof'>) => api.call('POST /proof', { body }) })
}

export function useProveByPasskey() {
  return useMutation({
    mutationFn: async () => {
      const { options } = await api.call('POST /proof/passkey/options')
      return api.call('POST /proof/passkey', { body: { response: await answerByPasskey(options) } })
    },
  })
}

/** The address at which the person signs in at the provider once more. */
export function useProveByProvider() {
  return useMutation({ mutationFn: () => api.call('POST /proof/provider') })
}

export function useSignOutEverywhere() {
  return useMutation({
    mutationFn: () => api.call('POST /sign-out/everywhere'),
    onSuccess: () => leaveTo('/sign-in'),
  })
}

export function useSetUp() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyOf<'POST /setup'>) => api.call('POST /setup', { body }),
    onSuccess: (session) => beginSession(queryClient, session),
  })
}

export function useAcceptInvitation() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyOf<'POST /invitations/accept'>) => api.call('POST /invitations/accept', { body }),
    onSuccess: (session) => beginSession(queryClient, session),
  })
}

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => api.call('POST /invitations/look', { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export function useForgotPassword() {
  return useMutation({ mutationFn: (email: string) => api.call('POST /password/forgot', { body: { email } }) })
}

export function useResetPassword() {
  return useMutation({
    mutationFn: (body: BodyOf<'POST /password/reset'>) => api.call('POST /password/reset', { body }),
  })
}

export function useSignOut() {
  return useMutation({
    mutationFn: () => api.call('POST /sign-out'),
    onSuccess: () => leaveTo('/sign-in'),
  })
}

export function useSwitchAccount() {
  return useMutation({
    mutationFn: (accountId: string) => api.call('PUT /session/account', { body: { account_id: accountId } }),
    onSuccess: () => leaveTo('/'),
  })
}
