import { api } from '../../../lib/api/api.ts'
import type { CancelledOrder } from '../../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { toastDone } from '../../../ui/dialogs/toast.tsx'
import { useActions } from '../../../ui/dialogs/use-actions.ts'

interface OrderSubject {
  id: string
  order_number: string
}

/** What a person does with an order. Each asks first, and answers whether it was done. */
export function useOrderActions() {
  const { busyId, perform } = useActions('orders')
  return {
    busyId,
    cancel({ id, order_number }: OrderSubject) {
      return perform({
        id,
        question: {
          title: t('Cancel order {order_number}?', { order_number }),
          body: t(
            'No more units of it will be shipped. Units that left already do not go back into stock by themselves: book them as a return when they are back.',
          ),
          confirmLabel: t('Cancel the order'),
          cancelLabel: t('Keep it'),
          isDangerous: true,
        },
        call: async () => toastDone(cancelledWords(await api.call('DELETE /orders/{id}', { params: { id } }))),
        failed: t('Order {order_number} could not be cancelled', { order_number }),
      })
    },
    refund({ id, order_number }: OrderSubject) {
      return perform({
        id,
        question: {
          title: t('Mark order {order_number} as refunded?', { order_number }),
          body: t(
            'Its open lines are cancelled, and it no longer counts as revenue. The money itself is refunded in the shop.',
          ),
          confirmLabel: t('Mark as refunded'),
          isDangerous: true,
        },
        call: () => api.call('PATCH /orders/{id}', { params: { id }, body: { status: 'refunded' } }),
        done: t('Order {order_number} is marked as refunded', { order_number }),
        failed: t('Order {order_number} could not be marked as refunded', { order_number }),
      })
    },
    eraseCustomer({ id, order_number }: OrderSubject) {
      return perform({
        id,
        question: {
          title: t('Erase the customer of order {order_number}?', { order_number }),
          body: t(
            'Name, addresses, telephone, tracking, notes and personalisation are emptied for good, here and in its parcels and returns. The ordered lines and their prices stay.',
          ),
          confirmLabel: t('Erase the customer'),
          isDangerous: true,
        },
        call: () => api.call('POST /orders/{id}/erase-customer', { params: { id } }),
        done: t('The customer of order {order_number} is erased', { order_number }),
        failed: t('The customer of order {order_number} could not be erased', { order_number }),
      })
    },
  }
}

/** `Order 1001 is cancelled: 3 units cancelled, 2 shipped` */
function cancelledWords({ order_number, lines }: CancelledOrder): string {
  const sum = (name: 'cancelled' | 'shipped' | 'returned') => lines.reduce((total, line) => total + line[name], 0)
  const parts = [t('{sum, plural, one {# unit} other {# units}} cancelled', { sum: sum('cancelled') })]
  if (sum('shipped') > 0) parts.push(t('{units} shipped', { units: formatCount(sum('shipped')) }))
  if (sum('returned') > 0) parts.push(t('{units} returned', { units: formatCount(sum('returned')) }))
  return t('Order {order_number} is cancelled: {parts}', { order_number, parts: parts.join(', ') })
}
