import { Group, Select } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { PrinterOption } from '../../../features/jobs/dialogs/job-dialogs.tsx'
import { priorityOptions } from '../../../features/jobs/job-priority.tsx'
import { type QueueSearch, readQueueSearch } from '../../../features/jobs/queue/queue-search.ts'
import { t } from '../../../lib/i18n/t.ts'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import './filter-bar.css'

interface QueueBarProps {
  search: QueueSearch
  printers: readonly PrinterOption[]
  /** Those that jobs want now. */
  filaments: readonly string[]
}

/** The filters of the queue. They stand in the address, so that a view can be kept and sent. */
export function QueueBar({ search, printers, filaments }: QueueBarProps) {
  const navigate = useNavigate()
  const set = (change: { [Name in keyof QueueSearch]: string | null }) => {
    void navigate({ to: '/queue', search: (before) => readQueueSearch({ ...before, ...change }), replace: true })
  }
  const { filament } = search
  return (
    <Group align="end" gap="sm" className="filter-bar">
      <SearchField
        label={t('Search')}
        placeholder={t('File, product, printer')}
        value={search.search ?? ''}
        onSearch={(text) => set({ search: text })}
      />
      <Select
        label={t('Printer')}
        placeholder={t('All')}
        data={[...printers]}
        value={search.printer ?? null}
        onChange={(printer) => set({ printer })}
        searchable
        clearable
      />
      <Select
        label={t('Filament')}
        placeholder={t('All')}
        // The chosen one stays to be seen when no job wants it any more.
        data={[...new Set([...filaments, ...(filament === undefined ? [] : [filament])])]}
        value={filament ?? null}
        onChange={(value) => set({ filament: value })}
        clearable
      />
      <Select
        label={t('Priority')}
        placeholder={t('All')}
        data={[...priorityOptions]}
        value={search.priority ?? null}
        onChange={(priority) => set({ priority })}
        clearable
      />
    </Group>
  )
}
