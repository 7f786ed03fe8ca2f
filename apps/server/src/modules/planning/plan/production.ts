import type { OrderItemId, RecipeId, SkuId } from '../../../kernel/ids.ts'
import type { DemandId, Output } from './facts.ts'
import type { BlockedGroup } from './plan.ts'

/** What is to be queued. All of it once is enough: in the plan with it there is no gap left for the same demands. */
export interface Production {
  jobs: NewJob[]
  assemblyTasks: NewAssemblyTask[]
  /** What cannot be made of the demands that were asked for. */
  blocked: BlockedLine[]
}

/** A job to queue. */
export interface NewJob {
  /** Recipes that make the same, the preferred one first; any of them may print each plate. */
  recipeIds: RecipeId[]
  plates: number
  /** What each plate yields, by SKU. */
  outputs: readonly Output[]
  /** The earliest `ship_by` that it serves; null without one. Plates for later dates are jobs of their own. */
  dueMs: number | null
  /** The highest priority of the orders that it serves; null for a restock. */
  priority: number | null
  /** The order item that all of it is for. */
  dedicatedTo: OrderItemId | null
  /** To fill the shelf: it is to be printed after all jobs for orders. */
  isRestock: boolean
  /** Demands whose units the plates are for, in the order of service. */
  serves: Served[]
  /** What is left over. */
  surplus: Output[]
}

/** Units of a job for one demand. */
export interface Served {
  demandId: DemandId
  skuId: SkuId
  units: number
}

/** A `kit_assembly` task to create, or units to add to that of the same order item and SKU. There is one for each kit line and sub-kit. */
export interface NewAssemblyTask {
  demandId: DemandId
  /** Null for a restock. */
  orderItemId: OrderItemId | null
  skuId: SkuId
  units: number
}

/** Units of a demand that cannot be made, and why. */
export interface BlockedLine extends Omit<BlockedGroup, 'state' | 'expectedAtMs'> {
  demandId: DemandId
}
