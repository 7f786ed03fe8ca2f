import { Button, Menu, Stack, Text, Title } from '@mantine/core'
import { useEffect, useId, useRef } from 'react'
import type { WorkCard } from '../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { useConfirm } from '../../ui/dialogs/confirm.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { ErrandCard } from './errand-card.tsx'
import { type Errand, errandsOf } from './errands.ts'
import { asksForFate, farmText, finishOf } from './task-words.ts'
import { useTaskActions } from './use-task-actions.ts'
import './task-board.css'

type ColumnStatus = 'pending' | 'in_progress' | 'completed'

const columns: { status: ColumnStatus; title: string; empty: string }[] = [
  { status: 'pending', title: t('Pending'), empty: t('Nothing waits.') },
  { status: 'in_progress', title: t('In progress'), empty: t('Nothing is in progress.') },
  { status: 'completed', title: t('Done today'), empty: t('Nothing was done yet today.') },
]

interface TaskBoardProps {
  open: readonly WorkCard[]
  done: readonly WorkCard[]
  mayAct: boolean
  onOpen: (taskId: string, badUnits?: number) => void
  /** What reads more of what was done today; undefined: all is here. */
  onMoreDone: (() => void) | undefined
  /** The same of what is open. */
  onMoreOpen: (() => void) | undefined
}

/** The work of the day in three columns. Cards are dragged, or moved by their menu. */
export function TaskBoard({ open, done, mayAct, onOpen, onMoreDone, onMoreOpen }: TaskBoardProps) {
  const errands = [...errandsOf(open), ...done.map((card): Errand => ({ key: card.id, first: card, cards: [card] }))]
  const { move, canMove } = useMoves(onOpen)
  return (
    <div className="task-board">
      {columns.map(({ status, title, empty }) => {
        const own = errands.filter(({ first }) => first.status === status)
        const take = (key: string) => {
          const errand = errands.find((each) => each.key === key)
          if (errand && canMove(errand, status)) void move(errand, status)
        }
        const onMore = status === 'completed' ? onMoreDone : status === 'pending' ? onMoreOpen : undefined
        const amount = `${formatCount(own.length)}${onMore ? t(' and more') : ''}`
        return (
          <Column key={status} title={`${title} (${amount})`} onDrop={mayAct ? take : undefined}>
            {own.length === 0 && (
              <Text size="sm" c="dimmed">
                {empty}
              </Text>
            )}
            {own.map((errand) => (
              <DraggableCard key={errand.key} errandKey={errand.key} isDraggable={mayAct && status !== 'completed'}>
                <ErrandCard
                  errand={errand}
                  mayAct={mayAct}
                  onOpen={onOpen}
                  menu={
                    mayAct &&
                    status !== 'completed' && (
                      <MoveMenu errand={errand} onMove={(to) => void move(errand, to)} onOpen={onOpen} />
                    )
                  }
                />
              </DraggableCard>
            ))}
            <ShowMore onMore={onMore} />
          </Column>
        )
      })}
    </div>
  )
}

function ShowMore({ onMore }: { onMore: (() => void) | undefined }) {
  if (!onMore) return null
  return (
    <Button variant="default" onClick={onMore}>
      {t('Show more')}
    </Button>
  )
}

/** A card that lands in a column by accident must not clear a plate: what has an effect is asked for once. */
function useMoves(onOpen: (taskId: string) => void) {
  const actions = useTaskActions()
  const confirm = useConfirm()
  return {
    canMove: ({ first }: Errand, to: ColumnStatus) => first.status !== to && first.status !== 'completed',
    async move({ first, cards }: Errand, to: ColumnStatus) {
      if (to === 'pending') return void (await actions.putBack(cards))
      if (to === 'in_progress') return void (await actions.begin(cards))
      if (asksForFate(first)) return onOpen(first.id)
      const { effect, label } = finishOf(first)
      const isSure =
        effect === undefined ||
        (await confirm({
          title: t('{title}: done?', { title: farmText(first, first.title) }),
          body: effect,
          confirmLabel: label,
        }))
      if (isSure) await actions.finish(cards)
    },
  }
}

interface MoveMenuProps {
  errand: Errand
  onMove: (to: ColumnStatus) => void
  onOpen: (taskId: string) => void
}

function MoveMenu({ errand: { first }, onMove, onOpen }: MoveMenuProps) {
  return (
    <RowMenu label={t('Move “{title}”', { title: farmText(first, first.title) })}>
      <Menu.Label>{t('Move to…')}</Menu.Label>
      {columns
        .filter(({ status }) => status !== first.status)
        .map(({ status, title }) => (
          <Menu.Item key={status} onClick={() => onMove(status)}>
            {status === 'completed' ? t('Done') : title}
          </Menu.Item>
        ))}
      <Menu.Divider />
      <Menu.Item onClick={() => onOpen(first.id)}>{t('Details, assign, call off')}</Menu.Item>
    </RowMenu>
  )
}

interface ColumnProps {
  title: string
  onDrop: ((key: string) => void) | undefined
  children: React.ReactNode
}

function Column({ title, onDrop, children }: ColumnProps) {
  const id = useId()
  const ref = useRef<HTMLElement>(null)
  const drop = useRef(onDrop)
  drop.current = onDrop
  const takesDrops = onDrop !== undefined
  useDragging(ref, takesDrops, (drag, element) => drag.letDrop(element, (key) => drop.current?.(key)))
  return (
    <section className="task-column" aria-labelledby={id} ref={ref}>
      <Title order={2} id={id} mb="xs">
        {title}
      </Title>
      <Stack gap="xs">{children}</Stack>
    </section>
  )
}

function DraggableCard(props: { errandKey: string; isDraggable: boolean; children: React.ReactNode }) {
  const { errandKey, isDraggable, children } = props
  const ref = useRef<HTMLDivElement>(null)
  useDragging(ref, isDraggable, (drag, element) => drag.letDrag(element, errandKey))
  return <div ref={ref}>{children}</div>
}

/** Dragging is fetched after the board stands: anyone who uses the menu does not wait for it. */
function useDragging<Element extends HTMLElement>(
  ref: React.RefObject<Element | null>,
  isOn: boolean,
  start: (drag: typeof import('./board-drag.ts'), element: Element) => () => void,
) {
  const begin = useRef(start)
  begin.current = start
  useEffect(() => {
    if (!isOn) return undefined
    let end: (() => void) | undefined
    let isOver = false
    // Without it the menu still moves cards, so a chunk that cannot be fetched is no more than a card that stays put.
    import('./board-drag.ts').then(
      (drag) => {
        if (!isOver && ref.current) end = begin.current(drag, ref.current)
      },
      () => undefined,
    )
    return () => {
      isOver = true
      end?.()
    }
  }, [isOn, ref])
}
