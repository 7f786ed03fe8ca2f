import { Group, Select, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { FileSelect } from '../../../features/files/file-select.tsx'
import type { PrinterOption } from '../../../features/jobs/dialogs/job-dialogs.tsx'
import type { HistorySearch } from '../../../features/jobs/history/history-filters.ts'
import { t } from '../../../lib/i18n/t.ts'
import './filter-bar.css'

const statuses = [
  { value: 'completed', label: t('Completed') },
  { value: 'failed', label: t('Failed') },
  { value: 'cancelled', label: t('Cancelled') },
]

/** The filters of the history. They stand in the address, so that a view can be kept and sent. */
export function HistoryBar({ search, printers }: { search: HistorySearch; printers: readonly PrinterOption[] }) {
  const navigate = useNavigate()
  const set = (changes: { [Name in keyof HistorySearch]: string | null }) => {
    const next = Object.entries({ ...search, ...changes }).filter(
      ([, value]) => typeof value === 'string' && value !== '',
    )
    void navigate({ to: '/history', search: Object.fromEntries(next), replace: true })
  }
  return (
    <Group align="end" gap="sm" mb="md" className="filter-bar">
      <Select
        label={t('State')}
        placeholder={t('All')}
        data={statuses}
        value={search.status ?? null}
        onChange={(status) => set({ status })}
        clearable
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
      <FileSelect value={search.file ?? null} onChange={(file) => set({ file })} />
      <TextInput
        label={t('From')}
        type="date"
        value={search.from ?? ''}
        onChange={(event) => set({ from: event.currentTarget.value })}
      />
      <TextInput
        label={t('To')}
        type="date"
        value={search.to ?? ''}
        onChange={(event) => set({ to: event.currentTarget.value })}
      />
    </Group>
  )
}
