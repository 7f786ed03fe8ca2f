import { api } from '../../../lib/api/api.ts'
import type { CancelledOrder } from '../../../lib/api/api-schema.generated.ts'
import { formatAmount, formatCount } from '../../../lib/format.ts'
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
          title: `Cancel order ${order_number}?`,
          body: 'Nothing more of it will be shipped. What left already does not go back into stock by itself: book it as a return when it is back.',
          confirmLabel: 'Cancel the order',
          cancelLabel: 'Keep it',
          isDangerous: true,
        },
        call: async () => toastDone(cancelledWords(await api.call('DELETE /orders/{id}', { params: { id } }))),
        failed: `Order ${order_number} could not be cancelled`,
      })
    },
    refund({ id, order_number }: OrderSubject) {
      return perform({
        id,
        question: {
          title: `Mark order ${order_number} as refunded?`,
          body: 'What is still open of it is cancelled, and it counts for no revenue. The money itself is given back in the shop.',
          confirmLabel: 'Mark as refunded',
          isDangerous: true,
        },
        call: () => api.call('PATCH /orders/{id}', { params: { id }, body: { status: 'refunded' } }),
        done: `Order ${order_number} is marked as refunded`,
        failed: `Order ${order_number} could not be marked as refunded`,
      })
    },
    eraseCustomer({ id, order_number }: OrderSubject) {
      return perform({
        id,
        question: {
          title: `Erase the customer of order ${order_number}?`,
          body: 'Name, addresses, telephone, tracking, notes and personalisation are emptied for good, here and in its parcels and returns. What was ordered, and for how much, stays.',
          confirmLabel: 'Erase the customer',
          isDangerous: true,
        },
        call: () => api.call('POST /orders/{id}/erase-customer', { params: { id } }),
        done: `The customer of order ${order_number} is erased`,
        failed: `The customer of order ${order_number} could not be erased`,
      })
    },
  }
}

/** `Order 1001 is cancelled: 3 units cancelled, 2 shipped` */
function cancelledWords({ order_number, lines }: CancelledOrder): string {
  const sum = (name: 'cancelled' | 'shipped' | 'returned') => lines.reduce((total, line) => total + line[name], 0)
  const parts = [`${formatAmount(sum('cancelled'), 'unit')} cancelled`]
  if (sum('shipped') > 0) parts.push(`${formatCount(sum('shipped'))} shipped`)
  if (sum('returned') > 0) parts.push(`${formatCount(sum('returned'))} returned`)
  return `Order ${order_number} is cancelled: ${parts.join(', ')}`
}
