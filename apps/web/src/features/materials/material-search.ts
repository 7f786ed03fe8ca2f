import { type MaterialKind, materialStatuses, readKind } from './material-kinds.ts'
import type { MaterialFilters } from './materials.api.ts'

/** The materials as they stand in the address. */
interface MaterialSearch {
  /** What will run out, in the place of a list. */
  tab?: 'forecast'
  /** Left out: spools. */
  kind?: MaterialKind
  /** `short`: low, or none left. */
  status?: NonNullable<MaterialFilters['status']> | 'short'
}

export function readMaterialSearch({ tab, kind, status }: Record<string, unknown>): MaterialSearch {
  if (tab === 'forecast') return { tab }
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
