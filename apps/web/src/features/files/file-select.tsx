import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { rowsOf } from '../../lib/api/paged-query.ts'
import { fileQuery } from '../../lib/api/shared-queries.ts'
import { t } from '../../lib/i18n/t.ts'
import { fileListQuery } from './files.api.ts'

interface FileSelectProps
  extends Pick<SelectProps, 'placeholder' | 'required' | 'clearable' | 'error' | 'description'> {
  /** ID of a file; null for none, or all. */
  value: string | null
  onChange: (id: string | null) => void
}

/** Chooses a print file. The service looks for what is typed: there may be thousands. */
export function FileSelect({ value, onChange, ...more }: FileSelectProps) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const chosen = useQuery({ ...fileQuery(value ?? ''), enabled: value !== null })
  // What was chosen is typed into the field, too, and no search.
  const isSearch = search !== '' && search !== chosen.data?.name
  const list = useInfiniteQuery(fileListQuery(isSearch ? { search } : {}))
  const found = (rowsOf(list.data) ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const own =
    value === null || found.some((each) => each.value === value) ? [] : [{ value, label: chosen.data?.name ?? value }]
  return (
    <Select
      label={t('File')}
      placeholder={t('All')}
      data={[...own, ...found]}
      value={value}
      onChange={onChange}
      onSearchChange={setTyped}
      nothingFoundMessage={t('No file of this name')}
      searchable
      clearable
      {...more}
    />
  )
}
