import { List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Production } from '../../lib/api/api-schema.generated.ts'
import { Rich } from '../../lib/i18n/rich.tsx'
import { serviceSentence } from '../../lib/i18n/service-sentence.ts'
import { t } from '../../lib/i18n/t.ts'
import { isNothing, queuedWords } from '../../lib/words/production-words.ts'
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
        toastDone(
          isNothing(made)
            ? t('No more work had to be queued')
            : t('{queuedWords} queued', { queuedWords: queuedWords(made) }),
        )
        onClose()
      },
    })
  return (
    <ProduceModal
      title={t('Produce {words}', { words })}
      trial={trial}
      produce={produce}
      onQueue={queue}
      onClose={onClose}
    >
      {(production) => (
        <>
          <Troubles production={production} onClose={onClose} />
          {production.lines_left_out > 0 && (
            <Text size="sm" c="dimmed">
              <Rich
                text="{lines_left_out, plural, one {# more line} other {# more lines}} of orders are not named here. What is queued is for all of them. <link>All orders</link>"
                values={{
                  lines_left_out: production.lines_left_out,
                  link: (words) => (
                    <LinkText to="/orders" underline="always" inherit>
                      {words}
                    </LinkText>
                  ),
                }}
              />
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
          <Rich
            text="{sku} of order {order_number}, {units, plural, one {# unit} other {# units}}: {message}. {blocker}"
            values={{
              sku: lineOf(order_item_id)?.sku ?? t('A line'),
              order_number: lineOf(order_item_id)?.order_number ?? '',
              units,
              message: blocker && serviceSentence(blocker.message),
              blocker: blocker && <BlockerRemedy blocker={blocker} />,
            }}
          />
        </List.Item>
      ))}
      {refused.map(({ sku, message, code }) => (
        <List.Item key={`${sku} ${code}`}>
          {sku}: {serviceSentence(message)}
        </List.Item>
      ))}
    </NotMade>
  )
}
