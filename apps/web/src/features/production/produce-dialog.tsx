import { Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Production } from '../../lib/api/api-schema.generated.ts'
import { formatAmount } from '../../lib/format.ts'
import { isNothing, jobWords, queuedWords } from '../../lib/production-words.ts'
import { toastDone } from '../../ui/dialogs/toast.tsx'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { LinkText } from '../../ui/link-text.tsx'
import { QueryView } from '../../ui/page/query-view.tsx'
import { Time } from '../../ui/time.tsx'
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
    <Modal opened onClose={onClose} title={`Produce ${words}`} size="lg">
      <Stack>
        <FormProblem problem={produce.error ?? undefined} />
        <QueryView query={trial} failed="What is to be queued could not be worked out">
          {(seen) => <Trial production={seen} onClose={onClose} />}
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

function Trial({ production, onClose }: { production: Production; onClose: () => void }) {
  const { jobs, assembly_tasks, refused, unmatched_items, lines, lines_left_out } = production
  const lineOf = (itemId: string) => lines.find(({ order_item_id }) => order_item_id === itemId)
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
            <List.Item key={`${job.recipe_ids.join()} ${job.due_date} ${jobWords(job)}`}>
              {jobWords(job)}
              {job.due_date !== null && (
                <Text span inherit c="dimmed">
                  {', due '}
                  <Time at={job.due_date} />
                </Text>
              )}
            </List.Item>
          ))}
          {assembly_tasks.map(({ order_item_id, product_sku_id, sku, units }) => (
            <List.Item key={`${order_item_id} ${product_sku_id}`}>
              Put together {formatAmount(units, 'unit')} of {sku}
            </List.Item>
          ))}
        </List>
      )}
      {unmatched_items.length + refused.length > 0 && (
        <div>
          <Text fw={600} size="sm">
            What cannot be made as it is
          </Text>
          <List size="sm">
            {unmatched_items.map(({ order_item_id, units, blockers: [blocker] }) => (
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
          </List>
        </div>
      )}
      {lines_left_out > 0 && (
        <Text size="sm" c="dimmed">
          {formatAmount(lines_left_out, 'more line')} of orders are not named here. What is queued is for all of them.{' '}
          <LinkText to="/orders" underline="always" inherit>
            All orders
          </LinkText>
        </Text>
      )}
    </>
  )
}
