import { List } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Production } from '../../../lib/api/api-schema.generated.ts'
import { serviceSentence } from '../../../lib/i18n/service-sentence.ts'
import { t } from '../../../lib/i18n/t.ts'
import { isNothing, queuedWords } from '../../../lib/words/production-words.ts'
import { toastDone } from '../../../ui/dialogs/toast.tsx'
import { NotMade, ProduceModal } from '../../../ui/production/produce-modal.tsx'
import { productionTrialQuery, useProduceOrder } from '../orders.api.ts'

interface ProduceDialogProps {
  order: { id: string; order_number: string }
  onClose: () => void
}

/** Shows what an order still needs to have queued, and queues it. */
export function ProduceDialog({ order, onClose }: ProduceDialogProps) {
  const trial = useQuery(productionTrialQuery(order.id))
  const produce = useProduceOrder(order.id)
  const queue = () =>
    produce.mutate(undefined, {
      onSuccess: (made) => {
        toastDone(
          isNothing(made)
            ? t('Order {order_number} needs nothing more to be queued', { order_number: order.order_number })
            : t('{queuedWords} queued for order {order_number}', {
                queuedWords: queuedWords(made),
                order_number: order.order_number,
              }),
        )
        onClose()
      },
    })
  const title = t('Produce order {order_number}', { order_number: order.order_number })
  return (
    <ProduceModal title={title} trial={trial} produce={produce} onQueue={queue} onClose={onClose}>
      {(production) => <Troubles production={production} />}
    </ProduceModal>
  )
}

function Troubles({ production: { refused, unmatched_items: unmatched, lines } }: { production: Production }) {
  const nameOf = (itemId: string) =>
    lines.find(({ order_item_id }) => order_item_id === itemId)?.product_name ?? t('a line')
  const troubles = [
    ...unmatched.map(({ order_item_id, units, blockers }) => {
      const why = [...new Set(blockers.map(({ message }) => serviceSentence(message)))].join('. ')
      return `${nameOf(order_item_id)}, ${t('{units, plural, one {# unit} other {# units}}', { units })}: ${why}`
    }),
    ...refused.map(({ sku, message }) => `${sku}: ${serviceSentence(message)}`),
  ]
  return (
    <NotMade count={troubles.length}>
      {troubles.map((trouble) => (
        <List.Item key={trouble}>{trouble}</List.Item>
      ))}
    </NotMade>
  )
}
