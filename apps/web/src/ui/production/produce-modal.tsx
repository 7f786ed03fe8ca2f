import { Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Production } from '../../lib/api/api-schema.generated.ts'
import { Rich } from '../../lib/i18n/rich.tsx'
import { t } from '../../lib/i18n/t.ts'
import { isNothing, jobWords, queuedWords } from '../../lib/words/production-words.ts'
import { FormProblem } from '../forms/form-problem.tsx'
import { QueryView } from '../page/query-view.tsx'
import { Time } from '../time.tsx'

interface ProduceModalProps {
  title: string
  /** What would be queued: nothing was queued by asking. */
  trial: { data: Production | undefined; error: unknown; refetch: () => unknown }
  produce: { error: Error | null; isPending: boolean }
  onQueue: () => void
  onClose: () => void
  /** What is to be said after the list of what would be queued. */
  children: (production: Production) => ReactNode
}

/** Asks before production is queued, and shows what would be. */
export function ProduceModal({ title, trial, produce, onQueue, onClose, children }: ProduceModalProps) {
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      <Stack>
        <FormProblem problem={produce.error ?? undefined} />
        <QueryView query={trial} failed={t('The work to queue could not be calculated')}>
          {(production) => (
            <>
              <Queued production={production} />
              {children(production)}
            </>
          )}
        </QueryView>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button onClick={onQueue} loading={produce.isPending} disabled={!trial.data || isNothing(trial.data)}>
            {t('Queue it')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Queued({ production }: { production: Production }) {
  if (isNothing(production)) {
    return <Text>{t('No work to queue: stock, assembly and live jobs cover all units that can be made.')}</Text>
  }
  const { jobs, assembly_tasks: tasks } = production
  return (
    <>
      <Text>
        {t('{queuedWords} would be queued for what stock and live jobs do not cover.', {
          queuedWords: queuedWords(production),
        })}
      </Text>
      <List size="sm">
        {jobs.map((job) => (
          <List.Item key={`${job.recipe_ids.join()} ${job.due_date} ${jobWords(job)}`}>
            {jobWords(job)}
            {job.due_date !== null && (
              <Text span inherit c="dimmed">
                <Rich text=", due {time}" values={{ time: <Time at={job.due_date} /> }} />
              </Text>
            )}
          </List.Item>
        ))}
        {tasks.map(({ order_item_id, product_sku_id, sku, units }) => (
          <List.Item key={`${order_item_id} ${product_sku_id}`}>
            {t('Put together {units, plural, one {# unit} other {# units}} of {sku}', { units, sku })}
          </List.Item>
        ))}
      </List>
    </>
  )
}

/** What keeps units from being made: items of a list. Nothing without `count`. */
export function NotMade({ count, children }: { count: number; children: ReactNode }) {
  if (count === 0) return null
  return (
    <div>
      <Text fw={600} size="sm">
        {t('Units that cannot be made')}
      </Text>
      <List size="sm">{children}</List>
    </div>
  )
}
