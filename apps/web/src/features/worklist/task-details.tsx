import { Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WorkCard } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { useMay } from '../../lib/session.ts'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { QueryView } from '../../ui/page/query-view.tsx'
import { AssemblyGuide } from './assembly-guide.tsx'
import { TaskActions } from './task-actions.tsx'
import { TaskFacts } from './task-facts.tsx'
import { farmText, statusWords, typeWords } from './task-words.ts'
import { cardQuery } from './worklist.api.ts'
import './worklist.css'

/** A task beside the page, while `taskId` is given. */
export function TaskDrawer({ taskId, onClose }: { taskId: string | undefined; onClose: () => void }) {
  return (
    <Drawer
      opened={taskId !== undefined}
      onClose={onClose}
      position="right"
      size="32rem"
      title={<Text fw={650}>{t('Task')}</Text>}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {taskId !== undefined && <TaskById taskId={taskId} onDone={onClose} />}
    </Drawer>
  )
}

function TaskById({ taskId, onDone }: { taskId: string; onDone: () => void }) {
  const card = useQuery(cardQuery(taskId))
  return (
    <QueryView query={card} failed={t('The task could not be read')}>
      {(data) => <TaskDetails card={data} onDone={onDone} />}
    </QueryView>
  )
}

function TaskDetails({ card, onDone }: { card: WorkCard; onDone: () => void }) {
  const mayAct = useMay('write')
  const { word, tone } = statusWords[card.status]
  return (
    <Stack gap="md">
      <div>
        <Title order={2}>{farmText(card, card.title)}</Title>
        <Group gap="xs" mt={6}>
          <StatusBadge tone={tone}>{word}</StatusBadge>
          <StatusBadge tone="resting" icon={typeWords[card.task_type].icon}>
            {typeWords[card.task_type].word}
          </StatusBadge>
          {card.priority === 'high' && <StatusBadge tone="trouble">{t('Pressing')}</StatusBadge>}
        </Group>
      </div>
      {card.description !== '' && <Text className="task-notes">{farmText(card, card.description)}</Text>}
      <TaskFacts card={card} />
      {mayAct && card.status !== 'completed' && <TaskActions card={card} onDone={onDone} />}
      {card.assembly_id !== null && <AssemblyGuide assemblyId={card.assembly_id} />}
    </Stack>
  )
}
