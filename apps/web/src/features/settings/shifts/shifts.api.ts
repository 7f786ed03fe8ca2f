import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { BodyOf } from '../../../lib/api/api-routes.ts'

/** A shift that begins or ends is no event: who is on shift is looked at again while it is shown. */
const shownEveryMs = 60_000

/** Who is on shift, and when. What changes of members has it read again. */
export const shiftsQuery = () =>
  queryOptions({
    queryKey: ['members', 'shifts'],
    queryFn: ({ signal }) => api.call('GET /shifts', { signal }),
    refetchInterval: shownEveryMs,
  })

function useShiftChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['members', 'shifts'] }),
  })
}

export const useSetShifts = (memberId: string) =>
  useShiftChange((body: BodyOf<'PUT /members/{id}/shifts'>) =>
    api.call('PUT /members/{id}/shifts', { params: { id: memberId }, body }),
  )

/** Of the person who presses it; undefined lets their week count again. */
export const useSwitchShift = () =>
  useShiftChange((to: BodyOf<'POST /shifts/switch'> | undefined) =>
    to === undefined ? api.call('DELETE /shifts/switch') : api.call('POST /shifts/switch', { body: to }),
  )
