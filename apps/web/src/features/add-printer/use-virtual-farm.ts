import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { forAll } from '../../lib/for-all.ts'
import { t } from '../../lib/i18n/t.ts'
import { toastDone, toastFailed } from '../../ui/dialogs/toast.tsx'

/** As many as show what a farm looks like. */
export const virtualPrinters = 50

/** Adds printers that a connected hub simulates, to try everything without hardware. */
export function useVirtualFarm() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const hubs = await api.rows('GET /hubs', { query: { limit: 100 } })
      const hub = hubs.find(({ is_online }) => is_online)
      if (!hub) throw new Error(t('No hub is connected.'))
      const names = Array.from({ length: virtualPrinters }, (_, index) => ({
        name: t('Virtual {index}', { index: String(index + 1).padStart(2, '0') }),
      }))
      const failures = await forAll(names, ({ name }) =>
        api.call('POST /printers', {
          body: {
            ...{ name, model: 'MK4S', manufacturer: 'Prusa', location: t('Virtual'), nozzle_size: 0.4 },
            ...{ hub_id: hub.id, connection_type: 'virtual', current_filament_type: 'PLA', auto_start: true },
          },
        }),
      )
      const [first] = failures
      if (first && failures.length === names.length) throw first.error
      return names.length - failures.length
    },
    onSuccess: (added) =>
      toastDone(
        t(
          '{added, plural, one {# virtual printer} other {# virtual printers}} added. Their plates are to be cleared.',
          { added },
        ),
      ),
    onError: (error) => toastFailed(t('The virtual printers were not added'), error),
    onSettled: () =>
      Promise.all(
        [['hubs'], ['printers'], ['overview']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  })
}
