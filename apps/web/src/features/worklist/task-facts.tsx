import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { WorkCard } from '../../lib/api/api-schema.generated.ts'
import { formatMinutes } from '../../lib/format.ts'
import { t, tc } from '../../lib/i18n/t.ts'
import { useMay } from '../../lib/session.ts'
import { colorWords } from '../../lib/words/color-words.ts'
import { LinkText } from '../../ui/link-text.tsx'
import { ThingLink } from '../../ui/thing-link.tsx'
import { Time } from '../../ui/time.tsx'
import { farmText } from './task-words.ts'
import { useTaskActions } from './use-task-actions.ts'
import { assigneesQuery } from './worklist.api.ts'
import './task-facts.css'

const plateWords = { clear: t('Clear'), occupied: t('Occupied'), unknown: t('Not known') }

/** What is known of a task, and who does it. */
export function TaskFacts({ card }: { card: WorkCard }) {
  const { printer, job } = card
  const facts: [string, ReactNode][] = []
  if (printer) {
    facts.push([
      t('Printer'),
      <LinkText key="printer" to="/printers/$printerId" params={{ printerId: printer.id }}>
        {printer.name}
      </LinkText>,
    ])
    facts.push([t('Model'), printer.model])
    if (printer.location !== '') facts.push([t('Place'), printer.location])
    facts.push([t('Plate'), plateWords[printer.plate_state]])
  } else if (card.subtitle !== '') facts.push([t('About'), farmText(card, card.subtitle)])
  if (card.order_id !== null) {
    facts.push([
      tc('of a customer', 'Order'),
      <LinkText key="order" to="/orders/$orderId" params={{ orderId: card.order_id }}>
        {t('Open the order, with its packing slip')}
      </LinkText>,
    ])
  }
  if (job) {
    const words = [job.product_name, job.file_name].filter((each) => each !== null).join(' · ')
    facts.push([
      t('Job'),
      <ThingLink key="job" id={job.id}>
        {words}
      </ThingLink>,
    ])
    const filament = [job.filament_type, colorWords(job.color)].filter(Boolean).join(' ')
    if (filament !== '') facts.push([t('Filament'), filament])
    facts.push([t('Units on a plate'), String(job.units_per_plate)])
    if (job.plates_total > 1) {
      facts.push([
        t('Plates'),
        job.plate_number === null
          ? `${job.plates_total}`
          : t('{plate_number} of {plates_total}', { plate_number: job.plate_number, plates_total: job.plates_total }),
      ])
    }
  }
  facts.push([t('Assignee'), <Assignee key="who" card={card} />])
  if (card.due_date !== null) facts.push([t('Due'), <Time key="due" at={card.due_date} as="full" />])
  if (card.estimated_time_minutes !== null) facts.push([t('Takes about'), formatMinutes(card.estimated_time_minutes)])
  facts.push([t('Made'), <Time key="made" at={card.created_at} />])
  if (card.started_at !== null) facts.push([t('Started'), <Time key="started" at={card.started_at} />])
  if (card.completed_at !== null) facts.push([t('Done'), <Time key="done" at={card.completed_at} as="clock" />])
  if (card.actual_time_minutes !== null) facts.push([t('Took'), formatMinutes(card.actual_time_minutes)])
  return (
    <dl className="task-facts-list">
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
  if (!mayAct) return card.assignee_name ?? t('Unassigned')
  const known = (members.data ?? []).map(({ user_id, name }) => ({ value: user_id, label: name }))
  // Anyone who has left, or stands beyond the first hundred, still has the task.
  const isKnown = card.assigned_to === null || known.some(({ value }) => value === card.assigned_to)
  const own = isKnown ? [] : [{ value: card.assigned_to ?? '', label: card.assignee_name ?? t('Former member') }]
  return (
    <Select
      aria-label={t('Assignee')}
      data={[...known, ...own]}
      value={card.assigned_to}
      placeholder={t('Unassigned')}
      clearable
      searchable
      disabled={actions.busy !== undefined}
      onChange={(userId) => void actions.assign(card, userId)}
    />
  )
}
