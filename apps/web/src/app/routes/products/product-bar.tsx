import { Group, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ProductSearch } from '../../../features/products/list/product-search.ts'
import { categoriesQuery } from '../../../features/products/products.api.ts'
import { t } from '../../../lib/i18n/t.ts'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import '../jobs/filter-bar.css'

const uses = [
  { value: 'in', label: t('In use') },
  { value: 'out', label: t('Out of use') },
  { value: 'all', label: t('All') },
]

/** The filters of the products. They stand in the address, so that a view can be kept and sent. */
export function ProductBar({ search }: { search: ProductSearch }) {
  const navigate = useNavigate()
  const categories = useQuery(categoriesQuery())
  const known = (categories.data ?? []).map(({ category }) => category)
  const set = (changes: { [Name in keyof ProductSearch]: ProductSearch[Name] | null | undefined }) => {
    const next = Object.entries({ ...search, ...changes }).filter(([, value]) => Boolean(value))
    void navigate({ to: '/products', search: Object.fromEntries(next), replace: true })
  }
  return (
    <Group align="end" gap="sm" mb="md" className="filter-bar">
      <SearchField
        label={t('Search')}
        placeholder={t('Part of the name')}
        value={search.search ?? ''}
        onSearch={(text) => set({ search: text })}
      />
      <Select
        label={t('Category')}
        placeholder={t('All')}
        data={search.category === undefined || known.includes(search.category) ? known : [search.category, ...known]}
        value={search.category ?? null}
        onChange={(category) => set({ category })}
        nothingFoundMessage={t('No category of this name')}
        searchable
        clearable
      />
      <Select
        label={t('State')}
        data={uses}
        value={search.use ?? 'in'}
        onChange={(use) => set({ use: use === 'out' || use === 'all' ? use : null })}
        allowDeselect={false}
      />
    </Group>
  )
}
