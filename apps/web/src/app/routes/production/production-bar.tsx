import { Group, Select } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ProductionSearch } from '../../../features/production/production-search.ts'
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
        label="Search"
        placeholder="Code or product"
        value={search.search ?? ''}
        onSearch={(text) => set({ search: text })}
      />
      {search.tab === undefined && (
        <>
          <Select
            label="Due"
            placeholder="Any time"
            data={[
              { value: 'late', label: 'Late' },
              { value: 'day', label: 'Within a day' },
              { value: 'week', label: 'Within seven days' },
            ]}
            value={search.due ?? null}
            onChange={(due) => set({ due })}
            clearable
          />
          <Select
            label="For"
            placeholder="Orders and shelf"
            data={[
              { value: 'orders', label: 'Orders' },
              { value: 'shelf', label: 'The shelf' },
            ]}
            value={search.for ?? null}
            onChange={(purpose) => set({ for: purpose })}
            clearable
          />
          <Select
            label="State"
            placeholder="All"
            data={[
              { value: 'ready', label: 'Can be queued' },
              { value: 'blocked', label: 'Blocked' },
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
