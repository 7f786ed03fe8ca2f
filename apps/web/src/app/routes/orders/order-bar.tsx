import { Group, SegmentedControl, Select } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type OrderSearch, readOrderSearch } from '../../../features/orders/order-search.ts'
import { platformOptions, statusOptions } from '../../../features/orders/order-state.ts'
import { t } from '../../../lib/i18n/t.ts'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import '../jobs/filter-bar.css'

/** The filters of the orders. They stand in the address, so that a view can be kept and sent. */
export function OrderBar({ search }: { search: OrderSearch }) {
  const navigate = useNavigate()
  const set = (change: { [Name in keyof OrderSearch]: string | null }) => {
    void navigate({ to: '/orders', search: (before) => readOrderSearch({ ...before, ...change }), replace: true })
  }
  return (
    <Group align="end" gap="sm" mb="md" className="filter-bar">
      <SearchField
        label={t('Search')}
        placeholder={t('Number, customer, SKU')}
        value={search.search ?? ''}
        onSearch={(text) => set({ search: text })}
      />
      <Select
        label={t('State')}
        placeholder={t('All')}
        data={statusOptions}
        value={search.status ?? null}
        onChange={(status) => set({ status })}
        clearable
      />
      <Select
        label={t('Platform')}
        placeholder={t('All')}
        data={platformOptions}
        value={search.platform ?? null}
        onChange={(platform) => set({ platform })}
        clearable
      />
      <Select
        label={t('To ship')}
        placeholder={t('Any time')}
        data={[
          { value: 'late', label: t('Late') },
          { value: 'soon', label: t('Late or due soon') },
          { value: 'risk', label: t('At risk') },
        ]}
        value={search.due ?? null}
        onChange={(due) => set({ due })}
        clearable
      />
      <Select
        label={t('Lines')}
        placeholder={t('All')}
        data={[{ value: 'true', label: t('Not mapped') }]}
        value={search.unmapped ?? null}
        onChange={(unmapped) => set({ unmapped })}
        clearable
      />
      <SegmentedControl
        aria-label={t('Shown as')}
        data={[
          { value: 'list', label: t('List') },
          { value: 'board', label: t('Board') },
        ]}
        value={search.as ?? 'list'}
        onChange={(as) => set({ as })}
      />
    </Group>
  )
}
