import { ActionIcon, Group, Text } from '@mantine/core'
import type { Job } from '../../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../../lib/api/paged-query.ts'
import { formatCount, formatMinutes } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { reasonWords } from '../../../lib/words/reason-words.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { ThingLink } from '../../../ui/thing-link.tsx'
import { Time } from '../../../ui/time.tsx'
import type { PrinterOption } from '../dialogs/job-dialogs.tsx'
import { presentJobStatus } from '../job-state.ts'
import { useJobActions } from '../use-job-actions.ts'

interface HistoryTableProps extends MorePages {
  jobs: readonly Job[]
  printers: readonly PrinterOption[]
  onPrintAgain: (jobId: string, name: string) => void
}

/** Jobs that ended, and what is done with them again. */
export function HistoryTable({ jobs, printers, onPrintAgain, ...more }: HistoryTableProps) {
  const actions = useJobActions()
  const mayWrite = useMay('write')
  const nameOf = (id: string | null) => printers.find(({ value }) => value === id)?.label

  function actionsCell(job: Job) {
    const name = job.product_name ?? job.file_name
    const subject = { ...job, name, printer_name: nameOf(job.printer_id) ?? null }
    return (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        {job.status === 'failed' && (
          <RowButton
            icon="retry"
            label={t('Retry {name}', { name })}
            isBusy={actions.busyId === job.id}
            onClick={() => void actions.retry(subject)}
          />
        )}
        <RowButton
          icon="printer"
          label={t('Print {name} again', { name })}
          onClick={() => onPrintAgain(job.id, name)}
        />
      </Group>
    )
  }

  const columns: Column<Job>[] = [
    {
      key: 'name',
      label: t('Job'),
      isTitle: true,
      cell: ({ id, product_name, file_name }) => (
        <LinkText to="/jobs/$jobId" params={{ jobId: id }}>
          {product_name ?? file_name}
        </LinkText>
      ),
    },
    {
      key: 'status',
      label: t('State'),
      cell: ({ status }) => {
        const { tone, word } = presentJobStatus(status)
        return <StatusBadge tone={tone}>{word}</StatusBadge>
      },
    },
    {
      key: 'printer',
      label: t('Printer'),
      cell: ({ printer_id }) => <ThingLink id={printer_id}>{nameOf(printer_id) ?? '–'}</ThingLink>,
    },
    { key: 'units', label: t('Units'), align: 'right', cell: ({ number_of_units }) => formatCount(number_of_units) },
    {
      key: 'took',
      label: t('Took'),
      align: 'right',
      cell: ({ actual_print_time_minutes: minutes }) => (minutes === null ? '–' : formatMinutes(minutes)),
    },
    { key: 'at', label: t('Ended'), cell: ({ time_completed }) => <Time at={time_completed} as="clock" never="–" /> },
    {
      key: 'reason',
      label: t('Reason'),
      cell: ({ failure_reason }) => (
        <Text span size="sm">
          {failure_reason === null ? '–' : reasonWords(failure_reason)}
        </Text>
      ),
    },
    ...(mayWrite ? [{ key: 'actions', label: t('Again'), align: 'right' as const, cell: actionsCell }] : []),
  ]

  return <DataTable label={t('Jobs that ended')} columns={columns} rows={jobs} rowKey={({ id }) => id} {...more} />
}

interface RowButtonProps {
  icon: 'retry' | 'printer'
  label: string
  isBusy?: boolean
  onClick: () => void
}

function RowButton({ icon, label, isBusy = false, onClick }: RowButtonProps) {
  return (
    // The browser's own title: a tooltip of the design system for each of a hundred buttons was half of drawing the page.
    <ActionIcon aria-label={label} title={label} loading={isBusy} onClick={onClick}>
      <Icon name={icon} size={18} />
    </ActionIcon>
  )
}
