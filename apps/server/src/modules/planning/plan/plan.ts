import type { MaterialId, SkuId } from '../../../kernel/ids.ts'
import type { BlockReason, Demand, DemandId, Supply } from './facts.ts'
import type { UnitState } from './supply.ts'

/**
 * All pegs and gaps as they would be. Equal facts give an equal plan, to the order of its lists: demands are in the order of
 * service, SKUs and materials in that of their IDs.
 */
export interface Plan {
  demands: DemandPlan[]
  pegs: Peg[]
  materialPegs: MaterialPeg[]
  /** What is to be queued, by demand and SKU, in the order of service. What is blocked is no gap. */
  gaps: Gap[]
  skus: SkuPlan[]
  materials: MaterialPlan[]
}

/** What becomes of one demand. The units of its groups and `notWanted` add up to its open units. */
export interface DemandPlan {
  demand: Demand
  /** Nearest first; each unit is in one. */
  groups: UnitGroup[]
  /** Units of a restock that are left until its stock is down to the restock point. */
  notWanted: number
}

export type UnitGroup = MovingGroup | BlockedGroup

/**
 * Units that are as far as the least of their parts: `reserved` lies on the shelf; `to_assemble` lies there in parts, or printed
 * and not yet put together; `on_live_job` waits for jobs; `to_print` has something that no supply covers.
 */
interface MovingGroup {
  state: UnitState
  units: number
  /** Time when the last part is printed. Null while unknown, and when all is there, that is for `reserved` and `to_assemble`. */
  expectedAtMs: number | null
}

/**
 * Units that cannot be made. Nothing is printed for them. They hold what all other demands leave of their parts, so that it
 * is there when they can be made; that is in no group.
 */
export interface BlockedGroup {
  state: 'blocked'
  units: number
  expectedAtMs: null
  /** At least one. */
  blockers: Blocker[]
}

/** What a person has to deal with: of the demand's SKU or of a part of it. */
export interface Blocker {
  reason: BlockReason
  /** The SKU that cannot be made; null for an unmapped line. */
  skuId: SkuId | null
  /** The component that is missing. */
  materialId: MaterialId | null
}

/** A demand's claim on units of a supply: there is at most one for each demand, supply and SKU. */
export interface Peg {
  demandId: DemandId
  /** The SKU of the demand, or of a part of it. */
  skuId: SkuId
  supply: Supply
  units: number
}

/** A demand's claim on a component or on packaging. */
export interface MaterialPeg {
  demandId: DemandId
  materialId: MaterialId
  units: number
}

/** Units of a SKU to be printed, or kits for which an assembly task is missing, for one demand. */
export interface Gap {
  demandId: DemandId
  skuId: SkuId
  make: 'print' | 'assemble'
  units: number
}

/** A SKU that has stock or gaps. */
export interface SkuPlan {
  skuId: SkuId
  ready: number
  /** Ready units that orders hold, as they are or as parts. What restocking counts on is not reserved. */
  reserved: number
  /** Ready units that a new order would find. */
  available: number
  toPrint: number
  /** Kits for which an assembly task is missing. */
  toAssemble: number
}

/** A component or packaging that is wanted or there. */
export interface MaterialPlan {
  materialId: MaterialId
  stock: number
  /** Units that all demands need, those of blocked ones included. */
  needed: number
  pegged: number
  /** Units that are missing. */
  short: number
}
