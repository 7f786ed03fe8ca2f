import { ActionIcon, Checkbox, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { QueuedJob, TimelineJob } from '../../../lib/api/api-schema.generated.ts'
import { serviceSentence } from '../../../lib/i18n/service-sentence.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { toastFailed } from '../../../ui/dialogs/toast.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { ListRow } from '../../../ui/lists/list-row.tsx'
import { useDrawnInParts } from '../../../ui/lists/use-drawn-in-parts.ts'
import type { JobDialogs } from '../dialogs/job-dialogs.tsx'
import { MoveDialog } from '../dialogs/move-dialog.tsx'
import { JobAsks } from '../job-asks.tsx'
import { JobMenu } from '../job-menu.tsx'
import { PriorityBadge } from '../job-priority.tsx'
import { subjectOf } from '../job-subject.ts'
import { ForecastLine } from '../timeline/forecast-line.tsx'
import type { JobActions } from '../use-job-actions.ts'
import { DueMark } from './due-mark.tsx'
import type { Edge } from './queue-drag.ts'
import { placeOfDrop } from './queue-move.ts'
import { useQueueMoves } from './use-queue-moves.tsx'
import './queue-list.css'

/** A row is worth three cards. */
const rowsOfPart = 15

interface QueueListProps {
  jobs: readonly QueuedJob[]
  actions: JobActions
  dialogs: JobDialogs
  selected: ReadonlySet<string>
  /** Only some of the queue is shown: then a place in the list is none in the queue, and nothing is moved. */
  isPart: boolean
  /** When they start and are done, by their IDs. */
  forecasts: ReadonlyMap<string, TimelineJob>
  onSelect: (ids: ReadonlySet<string>) => void
  onWhy: (job: { id: string; name: string }) => void
}

/** Jobs that wait, in the order in which they start. Order by the grip (drag, or its arrow keys) or by the menu. */
export function QueueList({ jobs, actions, dialogs, selected, isPart, forecasts, onSelect, onWhy }: QueueListProps) {
  const mayMove = useMay('write') && !isPart
  const mayControl = useMay('control')
  const { move, said } = useQueueMoves(jobs)
  const [moving, setMoving] = useState<QueuedJob>()
  const list = useRef<HTMLOListElement>(null)
  const drop = useRef<(id: string, overId: string, edge: Edge) => void>(() => undefined)
  drop.current = (id, overId, edge) => {
    const job = jobs.find((each) => each.id === id)
    if (job) void move(job, placeOfDrop(jobs, id, overId, edge))
  }
  const order = jobs.map(({ id }) => id).join()
  const drawn = useDrawnInParts(jobs.length, rowsOfPart)
  const mayDrag = mayMove && drawn >= jobs.length

  // biome-ignore lint/correctness/useExhaustiveDependencies: another order is another set of rows to follow
  useEffect(() => {
    if (!mayDrag) return
    let end: (() => void) | undefined
    let isOver = false
    import('./queue-drag.ts').then(
      ({ followDrags }) => {
        if (!isOver && list.current) end = followDrags(list.current, (...dropped) => drop.current(...dropped))
      },
      (error: unknown) => toastFailed(t('Dragging is not possible on this page'), error),
    )
    return () => {
      isOver = true
      end?.()
    }
  }, [order, mayDrag])

  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }

  return (
    <>
      <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>
      <ol
        className="queue-list plain-list"
        ref={list}
        aria-label={
          isPart ? t('Jobs that wait and match, the next one first') : t('Jobs that wait, the next one first')
        }
      >
        {jobs.map((job, place) => {
          if (place >= drawn) return <li key={job.id} className="list-row queue-room" />
          const subject = subjectOf(job)
          const { name } = subject
          return (
            <ListRow
              key={job.id}
              data-job-id={job.id}
              before={
                <>
                  {mayControl && (
                    <Checkbox
                      aria-label={t('Select {name}', { name })}
                      checked={selected.has(job.id)}
                      onChange={() => toggle(job.id)}
                    />
                  )}
                  {mayMove && (
                    <ActionIcon
                      className="queue-grip"
                      data-grip
                      aria-label={t('Move {name}, number {place} of {jobs}. Arrow keys move it', {
                        name,
                        place: place + 1,
                        jobs: jobs.length,
                      })}
                      onKeyDown={(event) => onArrow(event, (by) => void move(job, place + by))}
                    >
                      <Icon name="grip" size={18} strokeWidth={2.6} />
                    </ActionIcon>
                  )}
                  {!isPart && (
                    <Text span c="dimmed" size="sm" className="queue-place">
                      {place + 1}.
                    </Text>
                  )}
                </>
              }
              title={
                <>
                  <LinkText to="/jobs/$jobId" params={{ jobId: job.id }} fw={600}>
                    {name}
                  </LinkText>
                  <PriorityBadge priority={job.priority} />
                  <DueMark at={job.due_date} />
                </>
              }
              actions={
                <JobMenu job={{ ...job, ...subject }} actions={actions} dialogs={dialogs}>
                  {mayMove && (
                    <MoveItems
                      place={place}
                      count={jobs.length}
                      onMove={(to) => void move(job, to)}
                      onMoveTo={() => setMoving(job)}
                    />
                  )}
                </JobMenu>
              }
            >
              <JobAsks job={job} />
              <ForecastLine job={forecasts.get(job.id)} />
              {job.waiting && (
                <UnstyledButton
                  className="queue-why touch-target"
                  onClick={() => onWhy({ id: job.id, name })}
                  aria-label={t('{name} waits: {sentence}', {
                    name,
                    sentence: serviceSentence(job.waiting.sentence),
                  })}
                >
                  <Icon name="clock" size={15} />
                  <Text span size="sm">
                    {serviceSentence(job.waiting.sentence)}
                  </Text>
                </UnstyledButton>
              )}
            </ListRow>
          )
        })}
      </ol>
      {moving && (
        <MoveDialog
          name={subjectOf(moving).name}
          place={jobs.findIndex(({ id }) => id === moving.id) + 1}
          last={jobs.length}
          onClose={() => setMoving(undefined)}
          onMove={(place) => {
            setMoving(undefined)
            void move(moving, place - 1)
          }}
        />
      )}
    </>
  )
}

interface MoveItemsProps {
  place: number
  count: number
  onMove: (place: number) => void
  onMoveTo: () => void
}

/** What dragging does, for who cannot drag. */
function MoveItems({ place, count, onMove, onMoveTo }: MoveItemsProps) {
  return (
    <>
      {place > 0 && (
        <>
          <Menu.Item onClick={() => onMove(0)}>{t('Move to the top')}</Menu.Item>
          <Menu.Item onClick={() => onMove(place - 1)}>{t('Move up')}</Menu.Item>
        </>
      )}
      {place < count - 1 && <Menu.Item onClick={() => onMove(place + 1)}>{t('Move down')}</Menu.Item>}
      {count > 1 && (
        <>
          <Menu.Item onClick={onMoveTo}>{t('Move to…')}</Menu.Item>
          <Menu.Divider />
        </>
      )}
    </>
  )
}

function onArrow(event: KeyboardEvent, move: (by: number) => void): void {
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
  event.preventDefault()
  move(event.key === 'ArrowUp' ? -1 : 1)
}
