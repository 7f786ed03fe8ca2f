import fc from 'fast-check'
import type { AssemblyTaskId, JobId, MaterialId, OrderId, OrderItemId, RecipeId, SkuId } from '../../kernel/ids.ts'
import type {
  BomFact,
  Demand,
  Facts,
  LiveOutput,
  OpenAssembly,
  OrderDemand,
  PinnedPeg,
  RecipeFact,
  RestockDemand,
} from '../../modules/planning/plan/facts.ts'
import type { relatedSkus } from '../../modules/planning/plan/related-skus.ts'

export const sku = (id: string) => id as SkuId
export const item = (id: string) => id as OrderItemId
export const material = (id: string) => id as MaterialId

/** Facts of a farm that has nothing but what is named. */
export function planFacts(facts: Partial<Facts> = {}): Facts {
  return {
    demands: [],
    stock: [],
    outputs: [],
    assemblyTasks: [],
    recipes: [],
    boms: [],
    materials: [],
    pins: [],
    blockedSkus: [],
    ...facts,
  }
}

/** Answers what connects the SKUs of these facts. */
export function linksOf({ boms, recipes, outputs }: Facts): Parameters<typeof relatedSkus>[1] {
  const ofJobs = [...Map.groupBy(outputs, ({ jobId }) => jobId).values()]
  const plates = [...recipes.map((recipe) => recipe.outputs), ...ofJobs]
  return { boms, plates: plates.map((its) => its.map(({ skuId }) => skuId)) }
}

export function orderDemand(id: string, skuId: string | null, units: number, demand: Partial<OrderDemand> = {}) {
  return {
    kind: 'order_item' as const,
    id: item(id),
    orderId: `ord_${id}` as OrderId,
    skuId: skuId === null ? null : sku(skuId),
    units,
    shipByMs: null,
    priority: 0,
    orderedAtMs: 0,
    isDedicated: false,
    ...demand,
  }
}

export function restockDemand(id: string, units: number, restockPoint = units - 1): RestockDemand {
  return { kind: 'restock', id: sku(id), skuId: sku(id), units, restockPoint }
}

export const stockOf = (id: string, ready: number, needsAssembly = 0) => ({ skuId: sku(id), ready, needsAssembly })

export function liveOutput(id: string, skuId: string, units: number, output: Partial<LiveOutput> = {}): LiveOutput {
  return {
    jobId: id as JobId,
    skuId: sku(skuId),
    units,
    expectedAtMs: null,
    dedicatedTo: null,
    isQueued: false,
    ...output,
  }
}

export function openAssembly(
  id: string,
  skuId: string,
  unitsLeft: number,
  task: Partial<OpenAssembly> = {},
): OpenAssembly {
  const forAny = { orderItemId: null, isDedicated: false }
  return { id: id as AssemblyTaskId, kind: 'kit_assembly', skuId: sku(skuId), unitsLeft, ...forAny, ...task }
}

export function recipeFact(id: string, outputs: Record<string, number>, recipe: Partial<RecipeFact> = {}): RecipeFact {
  return {
    id: id as RecipeId,
    outputs: Object.entries(outputs).map(([skuId, units]) => ({ skuId: sku(skuId), units })),
    rank: 0,
    unfitBecause: null,
    plateSeconds: null,
    ...recipe,
  }
}

export function bomFact(
  id: string,
  children: Record<string, number>,
  components: Record<string, number> = {},
  packaging: Record<string, number> = {},
): BomFact {
  const lines = (kind: 'component' | 'packaging', units: Record<string, number>) =>
    Object.entries(units).map(([name, each]) => ({ materialId: material(name), kind, units: each }))
  return {
    skuId: sku(id),
    children: Object.entries(children).map(([skuId, units]) => ({ skuId: sku(skuId), units })),
    materials: [...lines('component', components), ...lines('packaging', packaging)],
  }
}

export const materialOf = (id: string, units: number) => ({ materialId: material(id), units })

function dedicatedItems(demands: readonly Demand[]): Set<string> {
  return new Set(demands.flatMap((demand) => (demand.kind === 'order_item' && demand.isDedicated ? [demand.id] : [])))
}

const leaves = ['s0', 's1', 's2', 's3', 's4']
const kits = ['k0', 'k1', 'k2']
const all = [...leaves, ...kits]
const screws = ['m0', 'm1']
const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
const few = fc.integer({ min: 1, max: 4 })
const units = fc.oneof({ weight: 6, arbitrary: fc.nat(12) }, { weight: 1, arbitrary: fc.nat(1_000_000) })
const time = oneOf<number | null>(null, 10, 20, 30)

const orders = fc
  .array(
    fc.record({
      skuId: fc.option(oneOf(...all), { freq: 12 }),
      units,
      shipByMs: time,
      priority: fc.nat(2),
      orderedAtMs: fc.nat(3),
      isDedicated: oneOf(false, false, false, true),
    }),
    { maxLength: 7 },
  )
  .map((list) => list.map(({ skuId, units, ...rest }, index) => orderDemand(`i${index}`, skuId, units, rest)))
const restocks = fc
  .uniqueArray(fc.record({ id: oneOf(...all), units: fc.integer({ min: 1, max: 12 }), restockPoint: fc.nat(12) }), {
    maxLength: 3,
    selector: ({ id }) => id,
  })
  .map((list) => list.map(({ id, units, restockPoint }) => restockDemand(id, units, restockPoint)))

/** A kit is made of leaves and of kits before it; now and then of one after it, so that there are cycles. */
const boms = fc
  .tuple(
    ...kits.map((_, index) =>
      fc.record({
        children: fc.dictionary(oneOf(...leaves, ...kits.slice(0, index)), few, { minKeys: 1, maxKeys: 3 }),
        upwards: fc.option(oneOf(...kits.slice(index)), { freq: 25, nil: undefined }),
        components: fc.dictionary(oneOf(...screws), few, { maxKeys: 2 }),
        packaging: fc.dictionary(oneOf('box'), few, { maxKeys: 1 }),
      }),
    ),
    fc.dictionary(oneOf(...screws), few, { maxKeys: 1 }),
  )
  .map((lists) => {
    const s0 = lists.at(-1) as Record<string, number>
    const ofKits = lists.slice(0, -1) as {
      children: Record<string, number>
      upwards?: string
      components: Record<string, number>
      packaging: Record<string, number>
    }[]
    const facts = ofKits.map(({ children, upwards, components, packaging }, index) =>
      bomFact(kits[index]!, upwards ? { ...children, [upwards]: 1 } : children, components, packaging),
    )
    return Object.keys(s0).length > 0 ? [...facts, bomFact('s0', {}, s0)] : facts
  })

const recipes = fc
  .array(
    fc.record({
      outputs: fc.oneof(
        { weight: 3, arbitrary: fc.dictionary(oneOf(...leaves), few, { minKeys: 1, maxKeys: 1 }) },
        { weight: 1, arbitrary: fc.dictionary(oneOf(...leaves), few, { minKeys: 2, maxKeys: 3 }) },
      ),
      rank: fc.nat(2),
      unfitBecause: oneOf(null, null, null, null, 'no printer has its nozzle'),
      plateSeconds: oneOf(null, 600, 900, 3_000),
    }),
    { maxLength: 9 },
  )
  .map((list) => list.map(({ outputs, ...rest }, index) => recipeFact(`r${index}`, outputs, rest)))

const stock = fc
  .uniqueArray(fc.record({ id: oneOf(...all), ready: units, needsAssembly: fc.nat(5) }), {
    maxLength: 6,
    selector: ({ id }) => id,
  })
  .map((list) => list.map(({ id, ready, needsAssembly }) => stockOf(id, ready, needsAssembly)))

const outputs = fc
  .uniqueArray(
    fc.record({
      job: oneOf('j0', 'j1', 'j2', 'j3'),
      id: oneOf(...leaves),
      units: fc.nat(12),
      dedicatedTo: fc.option(oneOf('i0', 'i1', 'i2', 'gone'), { freq: 3 }),
    }),
    { maxLength: 6, selector: ({ job, id }) => `${job} ${id}` },
  )
  .chain((list) =>
    fc.tuple(
      fc.constant(list),
      fc.array(fc.record({ at: time, isQueued: fc.boolean() }), { minLength: 4, maxLength: 4 }),
    ),
  )
  .map(([list, jobs]) =>
    list.map(({ job, id, units, dedicatedTo }) => {
      const { at, isQueued } = jobs[Number(job.slice(1))]!
      return liveOutput(job, id, units, { expectedAtMs: at, isQueued, dedicatedTo: dedicatedTo as OrderItemId | null })
    }),
  )

const assemblyTasks = fc
  .array(
    fc.record({
      kind: oneOf('kit_assembly' as const, 'kit_assembly' as const, 'print_assembly' as const),
      id: oneOf(...all),
      unitsLeft: fc.nat(6),
      orderItemId: fc.option(oneOf('i0', 'i1', 'i2', 'gone'), { freq: 2 }),
    }),
    { maxLength: 4 },
  )
  .map((list) =>
    list.map(({ id, unitsLeft, kind, orderItemId }, index) =>
      openAssembly(`t${index}`, id, unitsLeft, { kind, orderItemId: orderItemId as OrderItemId | null }),
    ),
  )

const materials = fc.tuple(...[...screws, 'box'].map((id) => fc.nat(40).map((count) => materialOf(id, count))))
const pins = fc.array(
  fc.record({
    demandId: oneOf('i0', 'i1', 'i2', 'gone'),
    skuId: oneOf(...all),
    kind: oneOf('ready_stock', 'needs_assembly', 'job'),
    job: oneOf('j0', 'j1'),
    units: fc.nat(6),
  }),
  { maxLength: 3 },
)
const blockedSkus = fc
  .array(oneOf(...all), { maxLength: 1 })
  .map((ids) => ids.map((id) => ({ skuId: sku(id), reason: 'sku_inactive' as const })))

/** Small farms with everything that can be in one, contradictions included. */
export const anyFacts: fc.Arbitrary<Facts> = fc
  .record({ orders, restocks, boms, recipes, stock, outputs, assemblyTasks, materials, pins, blockedSkus })
  .map(({ orders, restocks, pins, outputs, assemblyTasks, ...rest }) => {
    const dedicated = dedicatedItems(orders)
    dedicated.add('gone')
    const ownerOf = (id: OrderItemId | null) => (id !== null && dedicated.has(id) ? id : null)
    return {
      ...rest,
      demands: [...orders, ...restocks],
      outputs: outputs.map((output) => ({ ...output, dedicatedTo: ownerOf(output.dedicatedTo) })),
      assemblyTasks: assemblyTasks.map((task) =>
        task.kind === 'kit_assembly'
          ? { ...task, isDedicated: ownerOf(task.orderItemId) !== null }
          : { ...task, orderItemId: ownerOf(task.orderItemId) },
      ),
      pins: pins.map(
        ({ kind, job, skuId, ...pin }) =>
          ({ ...pin, skuId, supply: { kind, id: kind === 'job' ? job : skuId } }) as PinnedPeg,
      ),
    }
  })
