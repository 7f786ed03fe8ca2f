import { Button, Group, Text, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatMinutes } from '../../lib/format.ts'
import { Rich } from '../../lib/i18n/rich.tsx'
import { t } from '../../lib/i18n/t.ts'
import { Icon } from '../../ui/icon.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { Time, useNowMs } from '../../ui/time.tsx'
import { CardWishes } from './card-wishes.tsx'
import type { Errand } from './errands.ts'
import { asksForFate, farmText, finishOf, kindOf, placeOf } from './task-words.ts'
import { useTaskActions } from './use-task-actions.ts'
import './errand-card.css'
import './worklist.css'

interface ErrandCardProps {
  errand: Errand
  mayAct: boolean
  /** Shows a task with all that is known of it. */
  onOpen: (taskId: string, badUnits?: number) => void
  /** Beside the title. */
  menu?: ReactNode
}

/** One thing to do with the hands: what, where, and one big button that begins it and then ends it. */
export function ErrandCard({ errand: { first, cards }, mayAct, onOpen, menu }: ErrandCardProps) {
  const isDone = first.status === 'completed'
  const isBatch = cards.length > 1
  return (
    <article className="task-card" data-status={first.status} data-pressing={first.priority === 'high' || undefined}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <UnstyledButton className="task-title" onClick={() => onOpen(first.id)}>
          <Icon name={kindOf(first).icon} size={18} />
          <span>{farmText(first, first.title)}</span>
        </UnstyledButton>
        {menu}
      </Group>
      <div className="task-facts">
        <span>
          {isBatch ? t('{cards} printers in one go', { cards: cards.length }) : (placeOf(first) ?? kindOf(first).word)}
        </span>
        <CardFacts card={first} />
      </div>
      {!isDone && <CardWishes wishes={first.wishes} />}
      {isBatch && <BatchPrinters cards={cards} mayAct={mayAct} onOpen={onOpen} />}
      {mayAct && !isDone && <CardButton errand={{ key: first.id, first, cards }} onOpen={onOpen} />}
    </article>
  )
}

function CardFacts({ card }: { card: Errand['first'] }) {
  const nowMs = useNowMs()
  const isLate = card.due_date !== null && Date.parse(card.due_date) < nowMs && card.status !== 'completed'
  return (
    <>
      {card.status === 'in_progress' && <StatusBadge tone="working">{t('In progress')}</StatusBadge>}
      {card.priority === 'high' && card.status !== 'completed' && (
        <StatusBadge tone="trouble">{t('Pressing')}</StatusBadge>
      )}
      {isLate && <StatusBadge tone="trouble">{t('Late')}</StatusBadge>}
      {card.assignee_name !== null && <span>{card.assignee_name}</span>}
      {card.due_date !== null && !isLate && (
        <span>
          <Rich text="due {time}" values={{ time: <Time at={card.due_date} /> }} />
        </span>
      )}
      {card.status === 'completed' ? (
        <Time at={card.completed_at} as="clock" />
      ) : (
        <Time at={card.started_at ?? card.created_at} />
      )}
      {card.actual_time_minutes !== null && (
        <span>{t('took {actual_time_minutes}', { actual_time_minutes: formatMinutes(card.actual_time_minutes) })}</span>
      )}
    </>
  )
}

/** The printers of a batch, each to be ended by itself as well: the spool may be empty before the last one. */
function BatchPrinters({ cards, mayAct, onOpen }: Pick<Errand, 'cards'> & Pick<ErrandCardProps, 'mayAct' | 'onOpen'>) {
  const actions = useTaskActions()
  return (
    <ul className="task-batch">
      {cards.map((card) => (
        <li key={card.id}>
          <UnstyledButton className="task-title" onClick={() => onOpen(card.id)}>
            <Text size="sm" span>
              {placeOf(card) ?? farmText(card, card.title)}
            </Text>
          </UnstyledButton>
          {mayAct && card.status === 'in_progress' && (
            <Button
              size="compact-md"
              variant="default"
              loading={actions.busy === 'finish'}
              onClick={() => void actions.finish([card])}
              aria-label={`${finishOf(card).label}: ${card.printer?.name ?? farmText(card, card.title)}`}
            >
              {finishOf(card).label}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function CardButton({ errand: { first, cards }, onOpen }: Pick<ErrandCardProps, 'errand' | 'onOpen'>) {
  const actions = useTaskActions()
  const finish = finishOf(first)
  const of = cards.length > 1 ? ` ${cards.length === 2 ? t('both') : t('all {cards}', { cards: cards.length })}` : ''
  if (asksForFate(first)) {
    return (
      <Button size="md" className="task-button" onClick={() => onOpen(first.id)}>
        {t('Report the outcome')}
      </Button>
    )
  }
  // A plate is collected with one tap: who stands at the printer has started already.
  if (first.status === 'pending' && first.source !== 'plate') {
    return (
      <Button
        size="md"
        variant="default"
        className="task-button"
        loading={actions.busy === 'begin'}
        onClick={() => void actions.begin(cards)}
      >
        {t('Begin{of}', { of })}
      </Button>
    )
  }
  return (
    <>
      {finish.effect !== undefined && (
        <Text size="sm" c="dimmed" mt="xs">
          {finish.effect}
        </Text>
      )}
      <Button
        size="md"
        className="task-button"
        leftSection={<Icon name="check" size={18} />}
        loading={actions.busy === 'finish'}
        onClick={() => void actions.finish(cards)}
      >
        {finish.label}
        {of}
      </Button>
      {finish.takesRejects && (
        <Button variant="subtle" size="compact-md" className="task-button" onClick={() => onOpen(first.id, 1)}>
          {t('Some units are bad…')}
        </Button>
      )}
    </>
  )
}
