import type { AssemblyTaskId, JobId, MaterialId, OrderId, OrderItemId, RecipeId, SkuId } from '../../../kernel/ids.ts'

/** Names a demand: the order item, or the SKU that is restocked. */
export type DemandId = OrderItemId | SkuId

/** Open units of an order item: ordered, and neither picked, shipped nor cancelled. Rejects and failures open units again. */
export interface OrderDemand {
  kind: 'order_item'
  id: OrderItemId
  orderId: OrderId
  /** Null while the line is unmapped. */
  skuId: SkuId | null
  /** Units of the SKU, packs multiplied out. */
  units: number
  /** Time when the order has to leave; null for no promise, which comes after every promise. */
  shipByMs: number | null
  /** The larger is served first. */
  priority: number
  orderedAtMs: number
  /** Personalised: made for this item alone. It takes no stock, and nothing of its own serves another; nor do its parts. */
  isDedicated: boolean
}

/** Units of a SKU to have on the shelf. It comes after every order and takes what these leave. */
export interface RestockDemand {
  kind: 'restock'
  /** The SKU itself. */
  id: SkuId
  skuId: SkuId
  /** The level to fill up to: all units that are to be there, not only those that are missing. */
  units: number
  /** As long as more than this is there or on its way, nothing is made. */
  restockPoint: number
}

/** What units are wanted for. Parts of kits are no demands of their own: they follow from the BOM with the place of their demand. */
export type Demand = OrderDemand | RestockDemand

/** What is on the shelf of a SKU, reserved or not. */
interface StockFact {
  skuId: SkuId
  ready: number
  /** Printed units that still have to be put together, those of open `print_assembly` tasks among them. */
  needsAssembly: number
}

/** Units of one SKU that the plates still to come of a live job will yield. A mixed plate has one for each of its SKUs. */
export interface LiveOutput {
  jobId: JobId
  skuId: SkuId
  units: number
  /** Time when the last of them will be printed; null while unknown. */
  expectedAtMs: number | null
  /** The order item that they are made for alone; null when they may serve any demand. */
  dedicatedTo: OrderItemId | null
  /** Nothing of the job has been started: it can be cancelled without loss. */
  isQueued: boolean
}

/**
 * Units that a person still has to put together. `print_assembly` says for which order item a part of the units that need
 * assembly is; these units are stock. `kit_assembly` adds no units and has taken no parts yet: the parts stay pegged to the
 * demand until the task takes them, and the task only keeps the same kits from being asked for twice.
 */
export interface OpenAssembly {
  id: AssemblyTaskId
  kind: 'print_assembly' | 'kit_assembly'
  skuId: SkuId
  /** Units that are not yet put together. */
  unitsLeft: number
  /**
   * The order item that they are for. Null: of `print_assembly`, any demand may have them; of `kit_assembly`, it fills
   * the shelf, and only restocking counts on it. Kits that their order item wants no more, because finished ones came to it,
   * are for the next that has none asked for.
   */
  orderItemId: OrderItemId | null
  /** True when the order item is personalised: then no other may have what is put together for it. */
  isDedicated: boolean
}

export interface Output {
  skuId: SkuId
  units: number
}

/** A way to print. Inactive recipes are left out; one that serves all SKUs of a product is given once for each of them. */
export interface RecipeFact {
  id: RecipeId
  /** What one plate yields, the main output and `also_makes`. */
  outputs: readonly Output[]
  /** The smallest is preferred, after plates, surplus and time. */
  rank: number
  /** Reason why no printer of the farm can print it, for people; null when one can. */
  unfitBecause: string | null
  /** Printing time of a plate; null, unknown, counts as longer than any. */
  plateSeconds: number | null
}

/** What one unit of a SKU takes. A SKU without a fact here is printed as it is. */
export interface BomFact {
  skuId: SkuId
  children: readonly Output[]
  materials: readonly { materialId: MaterialId; kind: 'component' | 'packaging'; units: number }[]
}

/** What is there of a component or of packaging. */
interface MaterialStock {
  materialId: MaterialId
  units: number
}

/** Supply from which units come: stock by its SKU, what is being made by its job or task. */
export type Supply =
  | { kind: 'ready_stock' | 'needs_assembly'; id: SkuId }
  | { kind: 'job'; id: JobId }
  | { kind: 'assembly_task'; id: AssemblyTaskId }

/**
 * A peg that stays until it is taken off: set by a person, or units on the shelf that were made for one order item. It is held
 * even where the demand could take others, up to the units that the demand could need of that SKU and to what the supply has.
 * It is void when its demand or supply is gone, and for a supply that is dedicated to another. Pegs to assembly tasks are
 * not pinned; the task names its order item.
 */
export interface PinnedPeg {
  demandId: DemandId
  /** The SKU of the demand or of a part in its BOM. */
  skuId: SkuId
  supply: Supply
  units: number
}

/** Reason why units cannot be made until a person does something. */
export type BlockReason =
  | 'unmapped'
  | 'no_recipe'
  | 'recipe_fits_no_printer'
  | 'missing_component'
  | 'sku_inactive'
  | 'bom_cycle'
  | 'too_many_parts'

/**
 * Everything that a plan depends on, of a whole account or of SKUs that are connected (`relatedSkus`). The order of the lists
 * does not matter, and entries for the same thing add up. Units are whole numbers.
 */
export interface Facts {
  demands: readonly Demand[]
  stock: readonly StockFact[]
  outputs: readonly LiveOutput[]
  assemblyTasks: readonly OpenAssembly[]
  recipes: readonly RecipeFact[]
  boms: readonly BomFact[]
  materials: readonly MaterialStock[]
  pins: readonly PinnedPeg[]
  /** SKUs of which nothing is to be made, and why. What there is of them is still used. */
  blockedSkus: readonly { skuId: SkuId; reason: BlockReason }[]
}
