import { List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Production } from '../../lib/api/api-schema.generated.ts'
import { formatAmount } from '../../lib/format.ts'
import { isNothing, queuedWords } from '../../lib/production-words.ts'
import { toastDone } from '../../ui/dialogs/toast.tsx'
import { LinkText } from '../../ui/link-text.tsx'
import { NotMade, ProduceModal } from '../../ui/production/produce-modal.tsx'
import { BlockerRemedy } from './blocker-remedy.tsx'
import { type ProduceScope, productionTrialQuery, useProduce } from './production.api.ts'

interface ProduceDialogProps {
  scope: ProduceScope
  /** What the scope is in words: `2 chosen SKUs`. */
  words: string
  onClose: () => void
}

/** Shows what would be queued for many orders and the shelf, and queues it. */
export function ProduceDialog({ scope, words, onClose }: ProduceDialogProps) {
  const trial = useQuery(productionTrialQuery(scope))
  const produce = useProduce()
  const queue = () =>
    produce.mutate(scope, {
      onSuccess: (made) => {
        toastDone(isNothing(made) ? 'Nothing more had to be queued' : `${queuedWords(made)} queued`)
        onClose()
      },
    })
  return (
    <ProduceModal title={`Produce ${words}`} trial={trial} produce={produce} onQueue={queue} onClose={onClose}>
      {(production) => (
        <>
          <Troubles production={production} onClose={onClose} />
          {production.lines_left_out > 0 && (
            <Text size="sm" c="dimmed">
              {formatAmount(production.lines_left_out, 'more line')} of orders are not named here. What is queued is for
              all of them.{' '}
              <LinkText to="/orders" underline="always" inherit>
                All orders
              </LinkText>
            </Text>
          )}
        </>
      )}
    </ProduceModal>
  )
}

function Troubles({ production, onClose }: { production: Production; onClose: () => void }) {
  const { refused, unmatched_items: unmatched, lines } = production
  const lineOf = (itemId: string) => lines.find(({ order_item_id }) => order_item_id === itemId)
  return (
    <NotMade count={unmatched.length + refused.length}>
      {unmatched.map(({ order_item_id, units, blockers: [blocker] }) => (
        <List.Item key={order_item_id} onClick={onClose}>
          {lineOf(order_item_id)?.sku ?? 'A line'} of order {lineOf(order_item_id)?.order_number ?? ''},{' '}
          {formatAmount(units, 'unit')}: {blocker?.message}. {blocker && <BlockerRemedy blocker={blocker} />}
        </List.Item>
      ))}
      {refused.map(({ sku, message, code }) => (
        <List.Item key={`${sku} ${code}`}>
          {sku}: {message}
        </List.Item>
      ))}
    </NotMade>
  )
}
