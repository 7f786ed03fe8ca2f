import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { BodyOf } from '../../../lib/api/api-routes.ts'
import { toastDone, toastFailed } from '../../../ui/dialogs/toast.tsx'
import { type SeenOver, useLookFirst } from '../../../ui/dialogs/use-look-first.ts'

type Command =
  | { kind: 'control'; body: BodyOf<'POST /printers/{id}/control'> }
  | { kind: 'heaters'; body: BodyOf<'POST /printers/{id}/heaters'> }
  | { kind: 'light'; body: BodyOf<'POST /printers/{id}/light'> }
  | { kind: 'load'; body: BodyOf<'POST /printers/{id}/filament/load'> }
  | { kind: 'unload'; body: BodyOf<'POST /printers/{id}/filament/unload'> }
  | { kind: 'maintenance'; body: BodyOf<'PUT /printers/{id}/maintenance'> }

interface Asked {
  command: Command
  /** What stands in the toast: `Bench 3 is paused`. */
  done: string
  failed: string
}

/** Commands to one printer. Each is answered once the printer shows the effect. */
export function usePrinterCommand(printerId: string) {
  const queryClient = useQueryClient()
  const lookFirst = useLookFirst()
  return useMutation({
    mutationFn: ({ command }: Asked) => lookFirst((words) => send(printerId, command, words)),
    onSuccess: (_, { done }) => toastDone(done),
    onError: (error, { failed }) => toastFailed(failed, error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['printers'] }),
  })
}

export type PrinterCommand = ReturnType<typeof usePrinterCommand>

function send(id: string, { kind, body }: Command, words: SeenOver): Promise<unknown> {
  const params = { id }
  switch (kind) {
    case 'control':
      return api.call('POST /printers/{id}/control', { params, body: { ...body, ...words } })
    case 'heaters':
      return api.call('POST /printers/{id}/heaters', { params, body })
    case 'light':
      return api.call('POST /printers/{id}/light', { params, body })
    case 'load':
      return api.call('POST /printers/{id}/filament/load', { params, body })
    case 'unload':
      return api.call('POST /printers/{id}/filament/unload', { params, body })
    case 'maintenance':
      return api.call('PUT /printers/{id}/maintenance', { params, body })
  }
}

/** `etag` is of the printer as it was read: a change that another made meanwhile is not written over. */
export function useChangePrinter(printerId: string) {
  const queryClient = useQueryClient()
  const lookFirst = useLookFirst()
  return useMutation({
    mutationFn: ({ body, etag }: { body: BodyOf<'PATCH /printers/{id}'>; etag: string | undefined }) =>
      lookFirst((words) =>
        api.call('PATCH /printers/{id}', { params: { id: printerId }, body: { ...body, ...words }, ifMatch: etag }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['printers'] }),
  })
}

export function useRemovePrinter(printerId: string) {
  const queryClient = useQueryClient()
  const lookFirst = useLookFirst()
  return useMutation({
    mutationFn: () =>
      lookFirst((words) => api.call('DELETE /printers/{id}', { params: { id: printerId }, query: words })),
    onSuccess: () => {
      queryClient.removeQueries({ queryKey: ['printers', 'one', printerId] })
      return queryClient.invalidateQueries({ queryKey: ['printers'] })
    },
  })
}
