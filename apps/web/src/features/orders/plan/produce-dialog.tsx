import { Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Production } from '../../../lib/api/api-schema.generated.ts'
import { formatAmount } from '../../../lib/format.ts'
import { isNothing, jobWords, queuedWords } from '../../../lib/production-words.ts'
import { toastDone } from '../../../ui/dialogs/toast.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
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
            ? `Order ${order.order_number} needs nothing more to be queued`
            : `${queuedWords(made)} queued for order ${order.order_number}`,
        )
        onClose()
      },
    })
  return (
    <Modal opened onClose={onClose} title={`Produce order ${order.order_number}`} size="lg">
      <Stack>
        <FormProblem problem={produce.error ?? undefined} />
        <QueryView query={trial} failed="What is to be queued could not be worked out">
          {(seen) => <Trial production={seen} />}
        </QueryView>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={queue} loading={produce.isPending} disabled={!trial.data || isNothing(trial.data)}>
            Queue it
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Trial({ production }: { production: Production }) {
  const { jobs, assembly_tasks, refused, unmatched_items, lines } = production
  const nameOf = (itemId: string) =>
    lines.find(({ order_item_id }) => order_item_id === itemId)?.product_name ?? 'a line'
  const troubles = [
    ...unmatched_items.map(({ order_item_id, units, blockers }) => {
      const why = [...new Set(blockers.map(({ message }) => message))].join('. ')
      return `${nameOf(order_item_id)}, ${formatAmount(units, 'unit')}: ${why}`
    }),
    ...refused.map(({ sku, message }) => `${sku}: ${message}`),
  ]
  return (
    <>
      <Text>
        {isNothing(production)
          ? 'Nothing is to be queued: stock, assembly and live jobs cover all that can be made.'
          : `${queuedWords(production)} would be queued for what stock and live jobs do not cover.`}
      </Text>
      {!isNothing(production) && (
        <List size="sm">
          {jobs.map((job) => (
            <List.Item key={`${job.recipe_ids.join()} ${jobWords(job)}`}>{jobWords(job)}</List.Item>
          ))}
          {assembly_tasks.map(({ order_item_id, product_sku_id, sku, units }) => (
            <List.Item key={`${order_item_id} ${product_sku_id}`}>
              Put together {formatAmount(units, 'unit')} of {sku}
            </List.Item>
          ))}
        </List>
      )}
      {troubles.length > 0 && (
        <div>
          <Text fw={600} size="sm">
            What cannot be made as it is
          </Text>
          <List size="sm">
            {troubles.map((trouble) => (
              <List.Item key={trouble}>{trouble}</List.Item>
            ))}
          </List>
        </div>
      )}
    </>
  )
}
