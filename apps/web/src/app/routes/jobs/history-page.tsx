import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { use } from 'react'
import { type HistorySearch, readHistorySearch } from '../../../features/jobs/history-filters.ts'
import { presentJobStatus } from '../../../features/jobs/job-state.ts'
import { jobHistoryQuery } from '../../../features/jobs/jobs.api.ts'
import { useJobActions } from '../../../features/jobs/use-job-actions.ts'
import { usePrintAgain } from '../../../features/jobs/use-print-again.ts'
import type { Job } from '../../../lib/api/api-schema.generated.ts'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { formatCount, formatMinutes } from '../../../lib/format.ts'
import { useMay } from '../../../lib/session.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { Time, TimeZoneContext } from '../../../ui/time.tsx'
import { HistoryBar } from './history-bar.tsx'
import { PrintWindow } from './print-window.tsx'
import { usePrinterOptions } from './use-printer-options.ts'

const route = getRouteApi('/member/shell/history')

export function HistoryPage() {
  const search: HistorySearch = route.useSearch()
  const list = useInfiniteQuery(jobHistoryQuery(readHistorySearch(search, use(TimeZoneContext))))
  const printers = usePrinterOptions()
  const actions = useJobActions()
  const again = usePrintAgain()
  const mayWrite = useMay('write')
  const isFiltered = Object.values(search).some((value) => value !== undefined)
  const nameOf = (id: string | null) => printers.find(({ value }) => value === id)?.label

  function actionsCell(job: Job) {
    const name = job.product_name ?? job.file_name
    const subject = { ...job, name, printer_name: nameOf(job.printer_id) ?? null }
    return (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        {job.status === 'failed' && (
          <RowButton
            icon="retry"
            label={`Retry ${name}`}
            isBusy={actions.busyId === job.id}
            onClick={() => void actions.retry(subject)}
          />
        )}
        <RowButton icon="printer" label={`Print ${name} again`} onClick={() => void again.printAgain(job.id, name)} />
      </Group>
    )
  }

  const columns: Column<Job>[] = [
    {
      key: 'name',
      label: 'Job',
      isTitle: true,
      cell: ({ id, product_name, file_name }) => (
        <LinkText to="/jobs/$jobId" params={{ jobId: id }}>
          {product_name ?? file_name}
        </LinkText>
      ),
    },
    {
      key: 'status',
      label: 'State',
      cell: ({ status }) => {
        const { tone, word } = presentJobStatus(status)
        return <StatusBadge tone={tone}>{word}</StatusBadge>
      },
    },
    { key: 'printer', label: 'Printer', cell: ({ printer_id }) => nameOf(printer_id) ?? '–' },
    { key: 'units', label: 'Units', align: 'right', cell: ({ number_of_units }) => formatCount(number_of_units) },
    {
      key: 'took',
      label: 'Took',
      align: 'right',
      cell: ({ actual_print_time_minutes: minutes }) => (minutes === null ? '–' : formatMinutes(minutes)),
    },
    { key: 'at', label: 'Ended', cell: ({ time_completed }) => <Time at={time_completed} as="clock" never="–" /> },
    {
      key: 'reason',
      label: 'Reason',
      cell: ({ failure_reason }) => (
        <Text span size="sm">
          {failure_reason ?? '–'}
        </Text>
      ),
    },
    ...(mayWrite ? [{ key: 'actions', label: 'Again', align: 'right' as const, cell: actionsCell }] : []),
  ]

  return (
    <>
      <PageHeader title="History" />
      <HistoryBar search={search} printers={printers} />
      <QueryView query={list} failed="The history could not be read">
        {(data) => {
          const rows = rowsOf(data) ?? []
          if (rows.length === 0 && isFiltered) {
            return (
              <EmptyState
                icon="search"
                title="No job that ended matches"
                action={
                  <LinkButton to="/history" search={{}} variant="default">
                    Show all
                  </LinkButton>
                }
              />
            )
          }
          if (rows.length === 0) {
            return (
              <EmptyState
                icon="history"
                title="No job has ended yet"
                action={<LinkButton to="/queue">Go to the queue</LinkButton>}
              >
                Every job that ends is kept here with its result.
              </EmptyState>
            )
          }
          return (
            <DataTable
              label="Jobs that ended"
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id}
              onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
              isLoadingMore={list.isFetchingNextPage}
            />
          )
        }}
      </QueryView>
      <PrintWindow request={again.request} printers={printers} onClose={again.close} />
    </>
  )
}

interface RowButtonProps {
  icon: 'retry' | 'printer'
  label: string
  isBusy?: boolean
  onClick: () => void
}

function RowButton({ icon, label, isBusy = false, onClick }: RowButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        className="touch-target"
        aria-label={label}
        loading={isBusy}
        onClick={onClick}
      >
        <Icon name={icon} size={18} />
      </ActionIcon>
    </Tooltip>
  )
}
