import { api } from '../../lib/api/api.ts'
import { useActions } from '../../ui/dialogs/use-actions.ts'

/** What a person does with an item of the stock by one button. Each answers whether it was done. */
export function useStockActions() {
  const { busyId, perform } = useActions('stock', 'products', 'skus')
  return {
    busyId,
    retire: ({ id, sku }: { id: string; sku: string }) =>
      perform({
        id,
        question: {
          title: `Take ${sku} out of the stock?`,
          body: 'It raises no alerts and is not counted any more. Its movements stay, and it can be brought back.',
          confirmLabel: 'Take it out',
          isDangerous: true,
        },
        call: () => api.call('DELETE /inventory/{id}', { params: { id } }),
        done: `${sku} is out of the stock`,
        failed: `${sku} could not be taken out`,
      }),
  }
}
