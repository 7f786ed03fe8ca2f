import { useMutation, useQueryClient } from '@tanstack/react-query'
import { t } from '../../lib/i18n/t.ts'
import { toastDone, toastFailed } from '../../ui/dialogs/toast.tsx'
import { sampleGcode } from './sample-gcode.ts'
import { sendFile } from './send-file.ts'

/** Adds a file that prints in three minutes, for who has none at hand. */
export function useSampleFile() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => {
      const file = new File([sampleGcode()], 'sample-square-3-minutes.gcode', { type: 'text/plain' })
      return sendFile(file, { signal: new AbortController().signal, onProgress: () => undefined })
    },
    onSuccess: ({ name }) => {
      toastDone(t('{name} is added', { name }))
      void queryClient.invalidateQueries({ queryKey: ['files'] })
      void queryClient.invalidateQueries({ queryKey: ['overview'] })
    },
    onError: (error) => toastFailed(t('The sample was not added'), error),
  })
}
