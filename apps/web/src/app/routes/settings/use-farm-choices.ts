import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { livePrintersQuery } from '../../../features/printers/printers.api.ts'
import { productListQuery, productQuery } from '../../../features/products/products.api.ts'
import type { FarmChoices } from '../../../features/settings/rule-scope-fields.tsx'
import { rowsOf } from '../../../lib/api/paged-query.ts'

/**
 * The printers, places and products that a rule can be narrowed down to.
 * @param namedProducts those that rules name already, whose names are read too
 */
export function useFarmChoices(namedProducts: readonly string[]): FarmChoices {
  const printers = useQuery(livePrintersQuery()).data ?? []
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const found = rowsOf(useInfiniteQuery(productListQuery(search === '' ? {} : { search: search.slice(0, 120) })).data)
  const named = useQueries({ queries: [...new Set(namedProducts)].map((id) => productQuery(id)) })
  const products = [...(found ?? []), ...named.flatMap(({ data }) => data ?? [])]
  const nameOf = new Map(products.map(({ id, name }) => [id, name]))
  return {
    places: [...new Set(printers.map(({ location }) => location).filter((place) => place !== ''))].sort(),
    printers: printers.map(({ id, name }) => ({ value: id, label: name })),
    products: [...nameOf].map(([value, label]) => ({ value, label })),
    onProductSearch: setTyped,
  }
}
