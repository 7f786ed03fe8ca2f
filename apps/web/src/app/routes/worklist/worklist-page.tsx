import { Button } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { printerChoicesQuery } from '../../../features/printers/printers.api.ts'
import { OnShiftBar } from '../../../features/settings/shifts/on-shift-bar.tsx'
import { NewTaskForm } from '../../../features/worklist/new-task-form.tsx'
import { TaskBoard } from '../../../features/worklist/task-board.tsx'
import { TaskDrawer } from '../../../features/worklist/task-details.tsx'
import { TaskFilters } from '../../../features/worklist/task-filters.tsx'
import { TaskList } from '../../../features/worklist/task-list.tsx'
import { doneCardsQuery, openCardsQuery } from '../../../features/worklist/worklist.api.ts'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

const route = getRouteApi('/member/shell/worklist')

export function WorklistPage() {
  const { task, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const mayAct = useMay('write')
  const isWide = useMediaQuery('(min-width: 64em)', undefined, { getInitialValueInEffect: false })
  const [isAdding, adding] = useDisclosure(false)

  const asked = { assignee: filters.who, task_type: filters.type, location: filters.location }
  const open = useInfiniteQuery(openCardsQuery(asked))
  const done = useInfiniteQuery(doneCardsQuery(asked))
  const printers = useQuery(printerChoicesQuery()).data ?? []
  const locations = [...new Set(printers.map(({ location }) => location).filter(Boolean))].sort()
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const [badUnits, setBadUnits] = useState(0)
  const show = (taskId: string | undefined, bad = 0) => {
    setBadUnits(bad)
    void navigate({ search: { ...filters, ...(taskId !== undefined && { task: taskId }) }, replace: true })
  }

  const addButton = (
    <Button data-adds variant="default" leftSection={<Icon name="plus" size={18} />} onClick={adding.open}>
      {t('New task')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('Worklist')}
        actions={
          <>
            <LinkButton to="/scan" variant="default" leftSection={<Icon name="camera" size={18} />}>
              {t('Scan')}
            </LinkButton>
            {mayAct && addButton}
          </>
        }
      />
      <OnShiftBar />
      <TaskFilters
        value={filters}
        locations={locations}
        onChange={(change) => void navigate({ search: change, replace: true })}
      />
      <QueryView query={open} failed={t('The worklist could not be read')}>
        {(data) => {
          const cards = rowsOf(data) ?? []
          const doneCards = rowsOf(done.data) ?? []
          const more = open.hasNextPage ? () => void open.fetchNextPage() : undefined
          if (cards.length === 0 && doneCards.length === 0 && isFiltered) {
            return (
              <EmptyState
                icon="search"
                title={t('No task matches')}
                action={
                  <LinkButton to="/worklist" search={{}} variant="default">
                    {t('Show all')}
                  </LinkButton>
                }
              />
            )
          }
          if (cards.length === 0 && doneCards.length === 0) {
            return (
              <EmptyState icon="worklist" title={t('Nothing to do')} action={mayAct && addButton}>
                {t('Tasks come up here by themselves: plates to clear, filament to change, units to put together.')}
              </EmptyState>
            )
          }
          return isWide ? (
            <TaskBoard
              open={cards}
              done={doneCards}
              mayAct={mayAct}
              onOpen={show}
              onMoreDone={done.hasNextPage ? () => void done.fetchNextPage() : undefined}
              onMoreOpen={more}
            />
          ) : (
            <TaskList open={cards} done={doneCards} mayAct={mayAct} onOpen={show} onMore={more} />
          )
        }}
      </QueryView>
      <TaskDrawer taskId={task} badUnits={badUnits} onClose={() => show(undefined)} />
      <NewTaskForm isOpen={isAdding} onClose={adding.close} printers={printers} />
    </>
  )
}
