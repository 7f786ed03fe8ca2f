import type { SkuId } from '../../../kernel/ids.ts'
import type { Demand, Output } from './facts.ts'
import { type Pattern, unitsOf } from './patterns.ts'
import type { NewJob, Served } from './production.ts'

/** Units of a SKU that are to be printed for a demand. */
export interface Want {
  demand: Demand
  skuId: SkuId
  units: number
}

/**
 * Shares plates out among what is wanted, given in the order of service, and makes jobs of them: plates of one pattern that
 * are due together. What is due first gets the fewest plates that cover it, so that nothing waits for units of a later date.
 */
export function placePlates(wants: readonly Want[], plates: ReadonlyMap<Pattern, number>): NewJob[] {
  const queues = queuesOf(wants)
  const stacks = stacksOf(plates)
  const drafts = new Map<string, Draft>()
  for (const want of wants) {
    const queue = queues.get(want.skuId)!
    // What comes before it is served by now, and it may be itself.
    while (queue.entries[queue.next]?.want === want) {
      const needed = dueTogether(queue)
      const stack = chooseStack(stacks.get(want.skuId) ?? [], want.skuId, needed)
      if (!stack) throw new Error(`No plate is left for ${want.skuId}`)
      const count = Math.max(1, Math.min(stack.left, Math.floor(needed / unitsOf(stack.pattern, want.skuId))))
      stack.left -= count
      addPlates(draftOf(drafts, stack.pattern, want.demand), count, queues)
    }
  }
  return [...drafts.values()].map(({ job }) => job)
}

/** Plates of one pattern that are in no job yet. */
interface Stack {
  pattern: Pattern
  left: number
}

function stacksOf(plates: ReadonlyMap<Pattern, number>): Map<SkuId, Stack[]> {
  const stacks = new Map<SkuId, Stack[]>()
  for (const [pattern, left] of plates) {
    const stack = { pattern, left }
    for (const { skuId } of pattern.outputs) stacks.set(skuId, [...(stacks.get(skuId) ?? []), stack])
  }
  return stacks
}

interface Entry {
  want: Want
  left: number
}

/** What is wanted of one SKU; entries before `next` are served. */
interface Queue {
  entries: Entry[]
  next: number
}

function queuesOf(wants: readonly Want[]): Map<SkuId, Queue> {
  const bySku = Map.groupBy(wants, ({ skuId }) => skuId)
  const queueOf = (its: readonly Want[]) => ({ entries: its.map((want) => ({ want, left: want.units })), next: 0 })
  return new Map([...bySku].map(([skuId, its]) => [skuId, queueOf(its)]))
}

/** Units that are open for the date of the first that is not served. */
function dueTogether({ entries, next }: Queue): number {
  const due = dueOf(entries[next]!.want.demand)
  let units = 0
  for (let index = next; index < entries.length; index += 1) {
    const { want, left } = entries[index]!
    if (dueOf(want.demand) !== due) break
    units += left
  }
  return units
}

/** The smallest plate that covers what is due; when none does, the largest. */
function chooseStack(stacks: readonly Stack[], skuId: SkuId, needed: number): Stack | undefined {
  let best: Stack | undefined
  let bestUnits = 0
  for (const stack of stacks) {
    if (stack.left === 0) continue
    const units = unitsOf(stack.pattern, skuId)
    const isBetter = bestUnits < needed ? units > bestUnits : units >= needed && units < bestUnits
    if (!isBetter) continue
    best = stack
    bestUnits = units
  }
  return best
}

interface Draft {
  job: NewJob
  served: Map<string, Served>
}

function draftOf(drafts: Map<string, Draft>, pattern: Pattern, demand: Demand): Draft {
  const dueMs = dueOf(demand)
  const key = `${dueMs}\n${pattern.key}`
  const known = drafts.get(key)
  if (known) return known
  const isDedicated = demand.kind === 'order_item' && demand.isDedicated
  const job: NewJob = {
    recipeIds: pattern.recipeIds,
    plates: 0,
    outputs: pattern.outputs,
    dueMs,
    priority: null,
    dedicatedTo: isDedicated ? demand.id : null,
    isRestock: demand.kind === 'restock',
    serves: [],
    surplus: [],
  }
  const draft = { job, served: new Map() }
  drafts.set(key, draft)
  return draft
}

function addPlates(draft: Draft, count: number, queues: ReadonlyMap<SkuId, Queue>): void {
  draft.job.plates += count
  for (const { skuId, units } of draft.job.outputs) {
    const spare = serve(draft, queues.get(skuId), count * units)
    if (spare > 0) addSurplus(draft.job.surplus, skuId, spare)
  }
}

/** Gives units to those who wait for them; what is left over is the answer. */
function serve(draft: Draft, queue: Queue | undefined, units: number): number {
  let spare = units
  while (queue && spare > 0) {
    const entry = queue.entries[queue.next]
    if (!entry) break
    const given = Math.min(entry.left, spare)
    entry.left -= given
    spare -= given
    if (entry.left === 0) queue.next += 1
    addServed(draft, entry.want, given)
  }
  return spare
}

function addServed({ job, served }: Draft, { demand, skuId }: Want, units: number): void {
  const key = `${demand.id}\n${skuId}`
  const known = served.get(key)
  if (known) {
    known.units += units
    return
  }
  const added = { demandId: demand.id, skuId, units }
  served.set(key, added)
  job.serves.push(added)
  if (demand.kind === 'order_item') job.priority = Math.max(job.priority ?? demand.priority, demand.priority)
}

function addSurplus(surplus: Output[], skuId: SkuId, units: number): void {
  const known = surplus.find((output) => output.skuId === skuId)
  if (known) known.units += units
  else surplus.push({ skuId, units })
}

function dueOf(demand: Demand): number | null {
  return demand.kind === 'order_item' ? demand.shipByMs : null
}
