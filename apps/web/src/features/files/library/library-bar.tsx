import { Group, SegmentedControl, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { t } from '../../../lib/i18n/t.ts'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { fileTagsQuery } from '../files.api.ts'
import { type LibrarySearch, readLibrarySearch } from './library-search.ts'

/** What is shown of the files, in which order and how. All of it stands in the address. */
export function LibraryBar({ search }: { search: LibrarySearch }) {
  const navigate = useNavigate()
  const tags = useQuery(fileTagsQuery()).data ?? []
  const set = (change: { [Name in keyof LibrarySearch]: string | null }) =>
    void navigate({ to: '/files', search: readLibrarySearch({ ...search, ...change }), replace: true })
  const names = tags.map(({ tag }) => tag)
  // A tag that no file has any more may still stand in the address.
  const known = search.tag === undefined || names.includes(search.tag) ? names : [...names, search.tag]
  return (
    <Group gap="xs" mb="sm" className="library-bar">
      <SearchField
        aria-label={t('Search files')}
        placeholder={t('Search by name')}
        w={{ base: '100%', xs: '16rem' }}
        value={search.search ?? ''}
        onSearch={(words) => set({ search: words })}
      />
      {known.length > 0 && (
        <Select
          aria-label={t('Tag')}
          placeholder={t('All tags')}
          data={known}
          value={search.tag ?? null}
          onChange={(tag) => set({ tag })}
          searchable
          clearable
          flex={{ base: 1, xs: 'none' }}
          miw={{ base: 144, xs: 'auto' }}
          w={{ xs: '11rem' }}
        />
      )}
      <Select
        aria-label={t('Order')}
        data={[
          { value: 'newest', label: t('Newest first') },
          { value: 'changed', label: t('Last changed first') },
          { value: 'name', label: t('By name') },
        ]}
        value={search.sort ?? 'newest'}
        onChange={(sort) => set({ sort })}
        allowDeselect={false}
        flex={{ base: 1, xs: 'none' }}
        miw={{ base: 144, xs: 'auto' }}
        w={{ xs: '12rem' }}
      />
      <SegmentedControl
        aria-label={t('Shown as')}
        data={[
          { value: 'table', label: t('Table') },
          { value: 'grid', label: t('Grid') },
        ]}
        value={search.as ?? 'table'}
        onChange={(as) => set({ as })}
      />
    </Group>
  )
}
