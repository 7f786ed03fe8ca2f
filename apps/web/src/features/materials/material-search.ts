import { type MaterialKind, materialStatuses, readKind } from './material-kinds.ts'
import type { MaterialFilters } from './materials.api.ts'

/** The materials as they stand in the address. */
interface MaterialSearch {
  /** Left out: spools. */
  kind?: MaterialKind
  /** `short`: low, or none left. */
  status?: NonNullable<MaterialFilters['status']> | 'short'
}

export function readMaterialSearch({ kind, status }: Record<string, unknown>): MaterialSearch {
  const known = readKind(kind)
  const isStatus = typeof status === 'string' && (status === 'short' || Object.hasOwn(materialStatuses, status))
  return {
    ...(known && known !== 'filament' && { kind: known }),
    ...(isStatus && { status: status as NonNullable<MaterialSearch['status']> }),
  }
}

/** What is asked of the service. */
export function materialFiltersOf({ status }: MaterialSearch): MaterialFilters {
  if (status === undefined) return {}
  return status === 'short' ? { low_stock: true } : { status }
}
