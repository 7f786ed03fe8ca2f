import { api } from '../../lib/api/api.ts'
import { t } from '../../lib/i18n/t.ts'
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
          title: t('Take {sku} out of the stock?', { sku }),
          body: t('It raises no alerts and is not counted any more. Its movements stay, and it can be brought back.'),
          confirmLabel: t('Take it out'),
          isDangerous: true,
        },
        call: () => api.call('DELETE /inventory/{id}', { params: { id } }),
        done: t('{sku} is out of the stock', { sku }),
        failed: t('{sku} could not be taken out', { sku }),
      }),
  }
}
