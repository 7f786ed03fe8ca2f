import { Group, Select } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { StockSearch } from '../../../features/stock/stock-search.ts'
import { stockStatuses } from '../../../features/stock/stock-words.ts'
import { t } from '../../../lib/i18n/t.ts'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import '../jobs/filter-bar.css'

const states = [
  { value: 'short', label: t('Low or none left') },
  ...Object.entries(stockStatuses).map(([value, { word }]) => ({ value, label: word })),
]

/** The filters of the stock. They stand in the address, so that a view can be kept and sent. */
export function StockBar({ search }: { search: StockSearch }) {
  const navigate = useNavigate()
  const set = (changes: { [Name in keyof StockSearch]: string | null }) => {
    const next = Object.entries({ ...search, ...changes }).filter(([, value]) => Boolean(value))
    void navigate({ to: '/stock', search: Object.fromEntries(next), replace: true })
  }
  return (
    <Group align="end" gap="sm" mb="md" className="filter-bar">
      <SearchField
        label={t('Search')}
        placeholder={t('Code or colour')}
        value={search.search ?? ''}
        onSearch={(text) => set({ search: text })}
      />
      <SearchField
        label={t('Bin')}
        placeholder={t('Shelf or box')}
        value={search.bin ?? ''}
        onSearch={(text) => set({ bin: text })}
      />
      <Select
        label={t('State')}
        placeholder={t('All')}
        data={states}
        value={search.status ?? null}
        onChange={(status) => set({ status })}
        clearable
      />
      <Select
        label={t('Items')}
        data={[
          { value: 'in', label: t('In use') },
          { value: 'out', label: t('Out of use') },
        ]}
        value={search.use ?? 'in'}
        onChange={(use) => set({ use: use === 'out' ? use : null })}
        allowDeselect={false}
      />
    </Group>
  )
}
