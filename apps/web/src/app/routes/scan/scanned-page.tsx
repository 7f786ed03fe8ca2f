import { Group, Stack } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ThingFacts } from '../../../features/labels/thing-facts.tsx'
import { presentPrinterStatus } from '../../../features/printers/printer-state.ts'
import { printerQuery } from '../../../features/printers/printers.api.ts'
import { NextTask, useDoneHere } from '../../../features/worklist/next-task.tsx'
import { TaskDrawer } from '../../../features/worklist/task-details.tsx'
import { openCardsQuery } from '../../../features/worklist/worklist.api.ts'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { kindOf } from '../../../lib/things.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

const route = getRouteApi('/member/shell/s/$id')

/** What the code on a label opens. */
export function ScannedPage() {
  const { id } = route.useParams()
  const kind = kindOf(id)
  if (kind === undefined) {
    return (
      <>
        <PageHeader title={t('Scan')} />
        <EmptyState icon="unknown" title={t('No label of this farm')} action={<ScanNext />}>
          {t('Nothing here is called {id}.', { id })}
        </EmptyState>
      </>
    )
  }
  return (
    <Stack maw="34rem" gap="md" key={id}>
      {kind === 'printer' ? <AtPrinter printerId={id} /> : <ThingFacts item={{ kind, id }} />}
      {kind === 'order' && (
        <LinkButton to="/orders/$orderId" params={{ orderId: id }} leftSection={<Icon name="order" size={18} />}>
          {t('Open the order to ship it')}
        </LinkButton>
      )}
      {kind === 'bin' && (
        <LinkButton to="/stock/$itemId" params={{ itemId: id }} leftSection={<Icon name="stock" size={18} />}>
          {t('Count or restock it')}
        </LinkButton>
      )}
      {kind === 'spool' && (
        <LinkButton
          to="/materials/$kind/$materialId"
          params={{ kind: 'filament', materialId: id }}
          leftSection={<Icon name="spool" size={18} />}
        >
          {t('Weigh or load it')}
        </LinkButton>
      )}
      <ScanNext />
    </Stack>
  )
}

function ScanNext() {
  return (
    <LinkButton to="/scan" variant="default" leftSection={<Icon name="camera" size={18} />}>
      {t('Scan the next')}
    </LinkButton>
  )
}

/** What is to be done at a printer; when nothing is, its page. */
function AtPrinter({ printerId }: { printerId: string }) {
  const printer = useQuery(printerQuery(printerId))
  const tasks = useInfiniteQuery(openCardsQuery({ printer_id: printerId }))
  const here = useDoneHere()
  const [task, setTask] = useState<string>()
  const show = () => setTask(undefined)
  return (
    <QueryView query={printer} failed={t('The printer could not be read')}>
      {({ name, location, model, status }) => {
        const { tone, word } = presentPrinterStatus(status)
        return (
          <>
            <PageHeader
              title={name}
              description={[location, model].filter(Boolean).join(' · ')}
              badge={<StatusBadge tone={tone}>{word}</StatusBadge>}
            />
            <QueryView query={tasks} failed={t('The work to do here could not be read')}>
              {(data) => {
                const [next] = rowsOf(data) ?? []
                if (!next && !here.done) return <Navigate to="/printers/$printerId" params={{ printerId }} replace />
                return (
                  <>
                    {here.said !== undefined && (
                      <Group role="status">
                        <StatusBadge tone="done">{here.said}</StatusBadge>
                      </Group>
                    )}
                    {next && <NextTask key={next.id} card={next} onDone={here.note} onOpen={setTask} />}
                    <LinkButton to="/printers/$printerId" params={{ printerId }} variant="subtle">
                      {t('All about {name}', { name })}
                    </LinkButton>
                  </>
                )
              }}
            </QueryView>
            <TaskDrawer taskId={task} onClose={show} />
          </>
        )
      }}
    </QueryView>
  )
}
