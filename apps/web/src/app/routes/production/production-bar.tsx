import { Group, Select } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ProductionSearch } from '../../../features/production/production-search.ts'
import { t } from '../../../lib/i18n/t.ts'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import '../jobs/filter-bar.css'

/** The filters of what must be printed. They stand in the address, so that a view can be kept and sent. */
export function ProductionBar({ search }: { search: ProductionSearch }) {
  const navigate = useNavigate()
  const set = (changes: { [Name in keyof ProductionSearch]: string | null }) => {
    const next = Object.entries({ ...search, ...changes }).filter(([, value]) => Boolean(value))
    void navigate({ to: '/production', search: Object.fromEntries(next), replace: true })
  }
  return (
    <Group align="end" gap="sm" mb="md" className="filter-bar">
      <SearchField
        label={t('Search')}
        placeholder={t('Code or product')}
        value={search.search ?? ''}
        onSearch={(text) => set({ search: text })}
      />
      {search.tab === undefined && (
        <>
          <Select
            label={t('Due')}
            placeholder={t('Any time')}
            data={[
              { value: 'late', label: t('Late') },
              { value: 'day', label: t('Within a day') },
              { value: 'week', label: t('Within seven days') },
            ]}
            value={search.due ?? null}
            onChange={(due) => set({ due })}
            clearable
          />
          <Select
            label={t('For')}
            placeholder={t('Orders and shelf')}
            data={[
              { value: 'orders', label: t('Orders') },
              { value: 'shelf', label: t('The shelf') },
            ]}
            value={search.for ?? null}
            onChange={(purpose) => set({ for: purpose })}
            clearable
          />
          <Select
            label={t('State')}
            placeholder={t('All')}
            data={[
              { value: 'ready', label: t('Can be queued') },
              { value: 'blocked', label: t('Blocked') },
            ]}
            value={search.state ?? null}
            onChange={(state) => set({ state })}
            clearable
          />
        </>
      )}
    </Group>
  )
}
