import { Button, Divider, Drawer, Group, NumberInput, Select, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { WorkCard } from '../../lib/api/api-routes.ts'
import { formatMinutes } from '../../lib/format.ts'
import { useMay } from '../../lib/session.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LinkText } from '../../ui/link-text.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { AssemblyGuide } from './assembly-guide.tsx'
import { FateQuestion } from './fate-question.tsx'
import { asksForFate, finishOf, statusWords, typeWords } from './task-words.ts'
import { useTaskActions } from './use-task-actions.ts'
import { assigneesQuery, cardQuery } from './worklist.api.ts'
import './task-details.css'
import './worklist.css'

/** A task beside the page, while `taskId` is given. */
export function TaskDrawer({ taskId, onClose }: { taskId: string | undefined; onClose: () => void }) {
  return (
    <Drawer
      opened={taskId !== undefined}
      onClose={onClose}
      position="right"
      size="32rem"
      title={<Text fw={650}>Task</Text>}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {taskId !== undefined && <TaskById taskId={taskId} onDone={onClose} />}
    </Drawer>
  )
}

function TaskById({ taskId, onDone }: { taskId: string; onDone: () => void }) {
  const card = useQuery(cardQuery(taskId))
  return (
    <QueryView query={card} failed="The task could not be read">
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
        <Title order={2}>{card.title}</Title>
        <Group gap="xs" mt={6}>
          <StatusBadge tone={tone}>{word}</StatusBadge>
          <StatusBadge tone="resting" icon={typeWords[card.task_type].icon}>
            {typeWords[card.task_type].word}
          </StatusBadge>
          {card.priority === 'high' && <StatusBadge tone="trouble">Pressing</StatusBadge>}
        </Group>
      </div>
      {card.description !== '' && <Text className="task-notes">{card.description}</Text>}
      <Facts card={card} />
      {mayAct && card.status !== 'completed' && <Deeds card={card} onDone={onDone} />}
      {card.assembly_id !== null && <AssemblyGuide assemblyId={card.assembly_id} />}
    </Stack>
  )
}

const plateWords = { clear: 'Clear', occupied: 'Occupied', unknown: 'Not known' }

function Facts({ card }: { card: WorkCard }) {
  const { printer, job } = card
  const facts: [string, ReactNode][] = []
  if (printer) {
    facts.push([
      'Printer',
      <LinkText key="printer" to="/printers/$printerId" params={{ printerId: printer.id }}>
        {printer.name}
      </LinkText>,
    ])
    facts.push(['Model', printer.model])
    if (printer.location !== '') facts.push(['Place', printer.location])
    facts.push(['Plate', plateWords[printer.plate_state]])
  } else if (card.subtitle !== '') facts.push(['About', card.subtitle])
  if (job) {
    if (job.product_name !== null) facts.push(['Product', job.product_name])
    facts.push(['File', job.file_name])
    const filament = [job.filament_type, job.color].filter(Boolean).join(' ')
    if (filament !== '') facts.push(['Filament', filament])
    facts.push(['Units on a plate', String(job.units_per_plate)])
    if (job.plates_total > 1) {
      facts.push([
        'Plates',
        job.plate_number === null ? `${job.plates_total}` : `${job.plate_number} of ${job.plates_total}`,
      ])
    }
  }
  facts.push(['Who', <Assignee key="who" card={card} />])
  if (card.due_date !== null) facts.push(['Due', <Time key="due" at={card.due_date} as="full" />])
  if (card.estimated_time_minutes !== null) facts.push(['Takes about', formatMinutes(card.estimated_time_minutes)])
  facts.push(['Made', <Time key="made" at={card.created_at} />])
  if (card.started_at !== null) facts.push(['Begun', <Time key="begun" at={card.started_at} />])
  if (card.completed_at !== null) facts.push(['Done', <Time key="done" at={card.completed_at} as="clock" />])
  if (card.actual_time_minutes !== null) facts.push(['Took', formatMinutes(card.actual_time_minutes)])
  return (
    <dl className="task-details">
      {facts.map(([label, value]) => (
        <div key={label} className="task-fact">
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Assignee({ card }: { card: WorkCard }) {
  const mayAct = useMay('write') && card.status !== 'completed'
  const members = useQuery({ ...assigneesQuery(), enabled: mayAct })
  const actions = useTaskActions()
  if (!mayAct) return card.assignee_name ?? 'Nobody'
  const known = (members.data ?? []).map(({ user_id, name }) => ({ value: user_id, label: name }))
  // Whoever has left, or stands beyond the first hundred, still has the task.
  const isKnown = card.assigned_to === null || known.some(({ value }) => value === card.assigned_to)
  const own = isKnown ? [] : [{ value: card.assigned_to ?? '', label: card.assignee_name ?? 'Somebody' }]
  return (
    <Select
      aria-label="Who does it"
      data={[...known, ...own]}
      value={card.assigned_to}
      placeholder="Nobody"
      clearable
      searchable
      disabled={actions.busy !== undefined}
      onChange={(userId) => void actions.assign(card, userId)}
    />
  )
}

function Deeds({ card, onDone }: { card: WorkCard; onDone: () => void }) {
  const actions = useTaskActions()
  const confirm = useConfirm()
  const [rejected, setRejected] = useState(0)
  if (asksForFate(card)) return <FateQuestion card={card} actions={actions} />
  const finish = finishOf(card)
  const closeAfter = async (deed: Promise<boolean>) => {
    if (await deed) onDone()
  }
  async function callOff() {
    const isSure = await confirm({
      title: `Call off “${card.title}”?`,
      body: 'It stays on record as called off, and can be taken up again.',
      confirmLabel: 'Call off',
      cancelLabel: 'Keep it',
      isDangerous: true,
    })
    if (isSure) await closeAfter(actions.callOff(card))
  }
  return (
    <Stack gap="xs">
      <Divider />
      {finish.takesRejects && (
        <NumberInput
          label="Bad units"
          description="They leave the stock again; the account decides whether they are printed anew"
          min={0}
          max={100_000}
          allowDecimal={false}
          value={rejected}
          onChange={(value) => setRejected(typeof value === 'number' ? value : 0)}
        />
      )}
      {finish.effect !== undefined && (
        <Text size="sm" c="dimmed">
          {finish.effect}
        </Text>
      )}
      {card.status !== 'in_progress' && (
        <Button
          size="md"
          variant="default"
          loading={actions.busy === 'begin'}
          onClick={() => void actions.begin([card])}
        >
          {card.status === 'cancelled' ? 'Take it up again' : 'Begin'}
        </Button>
      )}
      {card.status !== 'cancelled' && (
        <Button
          size="md"
          leftSection={<Icon name="check" size={18} />}
          loading={actions.busy === 'finish'}
          onClick={() => void closeAfter(actions.finish([card], rejected))}
        >
          {finish.label}
          {rejected > 0 && `, ${rejected} bad`}
        </Button>
      )}
      <Group gap="xs" grow>
        {card.status === 'in_progress' && (
          <Button variant="subtle" loading={actions.busy === 'put back'} onClick={() => void actions.putBack([card])}>
            Put back
          </Button>
        )}
        {card.status !== 'cancelled' && (
          <Button variant="subtle" color="red" loading={actions.busy === 'call off'} onClick={() => void callOff()}>
            Call off
          </Button>
        )}
      </Group>
    </Stack>
  )
}
