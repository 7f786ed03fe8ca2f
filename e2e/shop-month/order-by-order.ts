import type { KnownOrder } from './month-record.ts'
import { complete } from './people.ts'
import { attempt, idOfSku, type ProductionWay, type Shop } from './shop.ts'
import { unlessRefused } from './shop-api.ts'
import { explode, type PlannedRecipe, type PlannedUnits, type ShopPlan } from './shop-plan.ts'

interface KitStep extends PlannedUnits {
  order: KnownOrder | null
}

/**
 * Every line is queued for itself when it comes in, whatever lies on the shelf and whatever else is queued: on the batch with the
 * fewest plates, and of those the least surplus. Mixed plates have no place here, as no line asks for both of their SKUs.
 */
export function produceOrderByOrder(shop: () => Shop): ProductionWay {
  const jobs = new Map<KnownOrder, string[]>()
  let steps: KitStep[] = []
  let queued = 0

  async function queue(order: KnownOrder | null, { code, units }: PlannedUnits): Promise<void> {
    const { api, plan, furnished, clock } = shop()
    const ways = bestBatch(plan, { code, units })
    queued += 1
    const recipe = ways[queued % ways.length]
    const job = await api.post<{ id: string }>('/jobs', {
      product_sku_id: idOfSku(shop(), code),
      recipe_id: recipe && furnished.recipes.get(recipe.name),
      number_of_units: units,
      ...(order && { due_date: clock.dateOf(order.planned.dueAt).toISOString(), priority: order.planned.priority }),
    })
    if (order) jobs.set(order, [...(jobs.get(order) ?? []), job.id])
  }

  async function want(order: KnownOrder | null, wanted: PlannedUnits): Promise<void> {
    const { plan } = shop()
    steps.push(...kitSteps(plan, wanted).map((step) => ({ ...step, order })))
    for (const part of explode(plan, wanted)) await queue(order, part)
  }

  return {
    keepsEngravings: false,
    async order(order, units) {
      for (const wanted of units) await want(order, wanted)
    },
    round: async () => undefined,
    lose: want,
    async cancel(order) {
      const { api, record } = shop()
      steps = steps.filter((step) => step.order !== order)
      for (const id of jobs.get(order) ?? []) {
        const { status } = await api.get<{ status: string }>(`/jobs/${id}`)
        const { plates_done: platesDone } = await api.get<{ plates_done: number }>(`/jobs/${id}/plan`)
        // The units of a job are booked when it is completed: one that has printed some of them goes on.
        if (status !== 'queued' || platesDone > 0) continue
        const cancelled = await attempt(record, api.post(`/jobs/${id}/cancel`))
        if (cancelled !== undefined) record.jobsCancelled += 1
      }
    },
    async assemble() {
      const { api } = shop()
      for (const step of [...steps]) {
        const task = await unlessRefused(
          ['INSUFFICIENT_FOR_KIT'],
          api.post<Parameters<typeof complete>[1]>(`/skus/${idOfSku(shop(), step.code)}/assemble`, {
            quantity: step.units,
          }),
        )
        if (task === undefined) continue
        steps = steps.filter((each) => each !== step)
        await complete(shop(), task)
      }
    },
  }
}

/** The recipes with the fewest plates for so many units, and of these the least surplus: one for each model of printers. */
function bestBatch({ recipes }: Pick<ShopPlan, 'recipes'>, { code, units }: PlannedUnits): PlannedRecipe[] {
  const fitting = recipes.filter(({ outputs }) => outputs.length === 1 && outputs[0]?.code === code)
  const costOf = ({ outputs }: PlannedRecipe) => {
    const each = outputs[0]?.units ?? 1
    const plates = Math.ceil(units / each)
    return plates * 1_000 + plates * each - units
  }
  const least = Math.min(...fitting.map(costOf))
  return fitting.filter((recipe) => costOf(recipe) === least)
}

/** What is to be put together for so many of a SKU, the inner kits first. */
function kitSteps(plan: Pick<ShopPlan, 'kits'>, { code, units }: PlannedUnits): PlannedUnits[] {
  const kit = plan.kits.find((each) => each.code === code)
  if (!kit) return []
  return [
    ...kit.parts.flatMap((part) => kitSteps(plan, { code: part.code, units: part.units * units })),
    { code, units },
  ]
}
