import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Sku } from '../../lib/api/api-schema.generated.ts'
import { rowsOf } from '../../lib/api/paged-query.ts'
import { t } from '../../lib/i18n/t.ts'
import { skuQuery, skuSearchQuery } from './skus.api.ts'

interface SkuSelectProps
  extends Omit<SelectProps, 'data' | 'value' | 'defaultValue' | 'onChange' | 'onSearchChange' | 'searchable'> {
  /** ID of a SKU; null for none. */
  value?: string | null
  onChange?: (id: string | null) => void
}

/** Chooses a SKU in use by its code or colour. The service looks for what is typed: there may be thousands. */
export function SkuSelect({ value = null, onChange, ...more }: SkuSelectProps) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const chosen = useQuery({ ...skuQuery(value ?? ''), enabled: value !== null })
  const own = chosen.data && optionOf(chosen.data)
  // What was chosen stands in the field, too, and is no search.
  const isSearch = search !== '' && search !== own?.label
  const list = useInfiniteQuery(skuSearchQuery(isSearch ? search.slice(0, 120) : ''))
  const found = (rowsOf(list.data) ?? []).map(optionOf)
  const isFound = value === null || found.some((each) => each.value === value)
  return (
    <Select
      label="SKU"
      placeholder={t('Code or colour')}
      {...more}
      data={[...(isFound ? [] : [own ?? { value, label: value }]), ...found]}
      value={value}
      onChange={(id) => onChange?.(id)}
      onSearchChange={setTyped}
      nothingFoundMessage={list.isPending ? t('Searching…') : t('No SKU of this code or colour')}
      searchable
    />
  )
}

/** `CLIP-RED · red PLA` */
function optionOf({ id, sku, color, filament_type }: Pick<Sku, 'id' | 'sku' | 'color' | 'filament_type'>) {
  const what = [color, filament_type].filter(Boolean).join(' ')
  return { value: id, label: what === '' ? sku : `${sku} · ${what}` }
}
