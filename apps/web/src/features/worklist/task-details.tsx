import { Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WorkCard } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { useMay } from '../../lib/session.ts'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { QueryView } from '../../ui/page/query-view.tsx'
import { ForOrders } from '../../ui/production/for-orders.tsx'
import { jobPlanQuery } from '../jobs/jobs.api.ts'
import { AssemblyGuide } from './assembly-guide.tsx'
import { CardWishes } from './card-wishes.tsx'
import { TaskActions } from './task-actions.tsx'
import { TaskFacts } from './task-facts.tsx'
import { farmText, kindOf, statusWords } from './task-words.ts'
import { cardQuery } from './worklist.api.ts'
import './worklist.css'

interface TaskDrawerProps {
  taskId: string | undefined
  /** How many bad units its person has found already. */
  badUnits?: number
  onClose: () => void
}

/** A task beside the page, while `taskId` is given. */
export function TaskDrawer({ taskId, badUnits = 0, onClose }: TaskDrawerProps) {
  return (
    <Drawer
      opened={taskId !== undefined}
      onClose={onClose}
      position="right"
      size="32rem"
      title={<Text fw={650}>{t('Task')}</Text>}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {taskId !== undefined && <TaskById taskId={taskId} badUnits={badUnits} onDone={onClose} />}
    </Drawer>
  )
}

function TaskById({ taskId, ...more }: { taskId: string; badUnits: number; onDone: () => void }) {
  const card = useQuery(cardQuery(taskId))
  return (
    <QueryView query={card} failed={t('The task could not be read')}>
      {(data) => <TaskDetails card={data} {...more} />}
    </QueryView>
  )
}

function TaskDetails({ card, badUnits, onDone }: { card: WorkCard; badUnits: number; onDone: () => void }) {
  const mayAct = useMay('write')
  const { word, tone } = statusWords[card.status]
  return (
    <Stack gap="md">
      <div>
        <Title order={2}>{farmText(card, card.title)}</Title>
        <Group gap="xs" mt={6}>
          <StatusBadge tone={tone}>{word}</StatusBadge>
          <StatusBadge tone="resting" icon={kindOf(card).icon}>
            {kindOf(card).word}
          </StatusBadge>
          {card.priority === 'high' && <StatusBadge tone="trouble">{t('Pressing')}</StatusBadge>}
        </Group>
      </div>
      {card.description !== '' && <Text className="task-notes">{farmText(card, card.description)}</Text>}
      <TaskFacts card={card} />
      {card.order_id !== null && <CardWishes wishes={card.wishes} />}
      {mayAct && card.status !== 'completed' && <TaskActions card={card} badUnits={badUnits} onDone={onDone} />}
      {card.source === 'plate' && card.job !== null && <MadeFor jobId={card.job.id} />}
      {card.assembly_id !== null && <AssemblyGuide assemblyId={card.assembly_id} />}
    </Stack>
  )
}

/** Whose units lie on a plate. Who only wants to clear it does not wait for that. */
function MadeFor({ jobId }: { jobId: string }) {
  const plan = useQuery(jobPlanQuery(jobId)).data
  return plan ? <ForOrders orders={plan.for_orders} /> : null
}
