import { describe, expect, test } from 'vitest'
import type { JobId } from '../../../kernel/ids.ts'
import {
  bomFact,
  item,
  liveOutput,
  material,
  materialOf,
  openAssembly,
  orderDemand,
  planFacts,
  recipeFact,
  restockDemand,
  sku,
  stockOf,
} from '../../../test/farm/plan-facts.ts'
import type { Facts } from './facts.ts'
import { planUnits } from './net.ts'
import type { DemandPlan } from './plan.ts'

/** The groups of a demand in short: `2 reserved`, `3 on_live_job at 10`, `1 blocked: missing_component m`. */
function groupsOf(facts: Partial<Facts>, id = 'a'): string[] {
  const { groups } = planUnits(planFacts(facts)).demands.find(({ demand }) => demand.id === id)!
  return groups.map(tell)
}

function tell(group: DemandPlan['groups'][number]): string {
  if (group.state !== 'blocked') {
    return `${group.units} ${group.state}${group.expectedAtMs === null ? '' : ` at ${group.expectedAtMs}`}`
  }
  const reasons = group.blockers.map(({ reason, skuId, materialId }) => `${reason} ${materialId ?? skuId ?? ''}`.trim())
  return `${group.units} blocked: ${reasons.join(', ')}`
}

const printable = [recipeFact('r', { s: 1 })]

describe('an order item', () => {
  test('takes ready stock, then units that need assembly, then live jobs, the earliest first, and the rest is to print', () => {
    const facts = {
      demands: [orderDemand('a', 's', 20)],
      stock: [stockOf('s', 3, 2)],
      outputs: [
        liveOutput('unknown', 's', 4),
        liveOutput('late', 's', 4, { expectedAtMs: 20 }),
        liveOutput('soon', 's', 4, { expectedAtMs: 10 }),
      ],
      recipes: printable,
    }
    expect(groupsOf(facts)).toEqual([
      '3 reserved',
      '2 to_assemble',
      '4 on_live_job at 10',
      '4 on_live_job at 20',
      '4 on_live_job',
      '3 to_print',
    ])
    expect(planUnits(planFacts(facts)).gaps).toEqual([{ demandId: 'a', skuId: 's', make: 'print', units: 3 }])
  })

  test('is served after those that leave earlier, are more urgent or are older, and before restocking', () => {
    const demands = [
      restockDemand('s', 5),
      orderDemand('d', 's', 2, { orderedAtMs: 1 }),
      orderDemand('c', 's', 2),
      orderDemand('b', 's', 2, { priority: 1 }),
      orderDemand('a', 's', 2, { shipByMs: 10 }),
    ]
    const plan = planUnits(planFacts({ demands, stock: [stockOf('s', 7)], recipes: printable }))
    expect(plan.demands.map(({ demand }) => demand.id)).toEqual(['a', 'b', 'c', 'd', 's'])
    expect(plan.demands.map(({ groups }) => groups.map(tell).join(', '))).toEqual([
      '2 reserved',
      '2 reserved',
      '2 reserved',
      '1 reserved, 1 to_print',
      '5 to_print',
    ])
  })

  test('that is unmapped, inactive, or has no recipe, or none for a printer of the farm, is blocked and says so', () => {
    const ofOne = { demands: [orderDemand('a', 's', 3)], stock: [stockOf('s', 1)] }
    expect(groupsOf({ demands: [orderDemand('a', null, 3)] })).toEqual(['3 blocked: unmapped'])
    expect(groupsOf(ofOne)).toEqual(['1 reserved', '2 blocked: no_recipe s'])
    const unfit = [recipeFact('r', { s: 1 }, { unfitBecause: 'no printer has its nozzle' })]
    expect(groupsOf({ ...ofOne, recipes: unfit })).toEqual(['1 reserved', '2 blocked: recipe_fits_no_printer s'])
    const blockedSkus = [{ skuId: sku('s'), reason: 'sku_inactive' as const }]
    expect(groupsOf({ ...ofOne, recipes: printable, blockedSkus })).toEqual(['1 reserved', '2 blocked: sku_inactive s'])
  })

  test('looks at every recipe, not only at the first', () => {
    const recipes = [
      recipeFact('r', { s: 1 }, { unfitBecause: 'no printer has its nozzle' }),
      recipeFact('q', { s: 4 }),
    ]
    expect(groupsOf({ demands: [orderDemand('a', 's', 3)], recipes })).toEqual(['3 to_print'])
  })

  test('keeps what a person has pegged to it, though an earlier one could have it', () => {
    const demands = [orderDemand('first', 's', 4, { shipByMs: 1 }), orderDemand('a', 's', 4)]
    const pins = [
      { demandId: item('a'), skuId: sku('s'), supply: { kind: 'ready_stock' as const, id: sku('s') }, units: 3 },
    ]
    const facts = { demands, pins, stock: [stockOf('s', 4)], recipes: printable }
    expect(groupsOf(facts, 'first')).toEqual(['1 reserved', '3 to_print'])
    expect(groupsOf(facts)).toEqual(['3 reserved', '1 to_print'])
  })

  test('with personalisation takes only what is made for it, and no one else has that', () => {
    const demands = [orderDemand('a', 's', 3, { isDedicated: true, shipByMs: 1 }), orderDemand('b', 's', 3)]
    const outputs = [liveOutput('own', 's', 5, { dedicatedTo: item('a') })]
    const facts = { demands, outputs, stock: [stockOf('s', 9, 2)], recipes: printable }
    expect(groupsOf(facts)).toEqual(['3 on_live_job'])
    expect(groupsOf({ ...facts, outputs: [] })).toEqual(['3 to_print'])
    expect(groupsOf({ ...facts, stock: [] }, 'b')).toEqual(['3 to_print'])
  })

  test('takes what is pegged to it before what is made for it, so that no unit is pegged beyond its need', () => {
    const outputs = [
      liveOutput('own', 's', 1, { dedicatedTo: item('a'), expectedAtMs: 10 }),
      liveOutput('other', 's', 1),
    ]
    const supply = { kind: 'job' as const, id: 'other' as JobId }
    const pins = [{ demandId: item('a'), skuId: sku('s'), supply, units: 1 }]
    const facts = { demands: [orderDemand('a', 's', 1, { isDedicated: true })], outputs, pins }
    expect(groupsOf(facts)).toEqual(['1 on_live_job'])
    expect(planUnits(planFacts(facts)).pegs).toMatchObject([{ supply, units: 1 }])
  })

  test('made for it and printed, it waits for its own assembly', () => {
    const demands = [orderDemand('a', 's', 3, { isDedicated: true })]
    const assemblyTasks = [openAssembly('t', 's', 2, { kind: 'print_assembly', orderItemId: item('a') })]
    const facts = { demands, assemblyTasks, stock: [stockOf('s', 0, 5)], recipes: printable }
    expect(groupsOf(facts)).toEqual(['2 to_assemble', '1 to_print'])
  })

  test('takes packaging for each unit, and waits for no packaging', () => {
    const facts = planFacts({
      demands: [orderDemand('a', 's', 3)],
      stock: [stockOf('s', 2)],
      recipes: printable,
      boms: [bomFact('s', {}, {}, { box: 2 })],
      materials: [materialOf('box', 5)],
    })
    const plan = planUnits(facts)
    expect(plan.demands[0]!.groups.map(tell)).toEqual(['2 reserved', '1 to_print'])
    expect(plan.materialPegs).toEqual([{ demandId: 'a', materialId: 'box', units: 5 }])
    expect(plan.materials).toEqual([{ materialId: 'box', stock: 5, needed: 6, pegged: 5, short: 1 }])
  })

  test('with components is printed as far as they last', () => {
    const facts = {
      demands: [orderDemand('a', 's', 9)],
      stock: [stockOf('s', 2, 1)],
      outputs: [liveOutput('j', 's', 2, { expectedAtMs: 10 })],
      recipes: printable,
      boms: [bomFact('s', {}, { magnet: 2 })],
      materials: [materialOf('magnet', 9)],
    }
    expect(groupsOf(facts)).toEqual([
      '2 reserved',
      '1 to_assemble',
      '2 on_live_job at 10',
      '1 to_print',
      '3 blocked: missing_component magnet',
    ])
    const plan = planUnits(planFacts(facts))
    expect(plan.materials).toEqual([{ materialId: material('magnet'), stock: 9, needed: 14, pegged: 9, short: 5 }])
    expect(plan.gaps).toEqual([{ demandId: 'a', skuId: 's', make: 'print', units: 1 }])
  })
})

describe('a kit', () => {
  const boms = [bomFact('lamp', { foot: 1, arm: 2 }), bomFact('arm', { rod: 2, joint: 1 })]
  const recipes = ['foot', 'rod', 'joint'].map((id) => recipeFact(`r_${id}`, { [id]: 1 }))

  test('of two levels is as far as the least of its parts, unit by unit', () => {
    const facts = {
      demands: [orderDemand('a', 'lamp', 6)],
      stock: [stockOf('lamp', 1), stockOf('foot', 2), stockOf('arm', 2), stockOf('rod', 4), stockOf('joint', 3)],
      outputs: [liveOutput('j', 'foot', 9, { expectedAtMs: 30 }), liveOutput('k', 'rod', 5, { expectedAtMs: 20 })],
      boms,
      recipes,
    }
    expect(groupsOf(facts)).toEqual(['1 reserved', '2 to_assemble', '3 to_print'])
    const more = { ...facts, outputs: [...facts.outputs, liveOutput('l', 'joint', 9, { expectedAtMs: 10 })] }
    expect(groupsOf(more)).toEqual(['1 reserved', '2 to_assemble', '1 on_live_job at 30', '2 to_print'])
  })

  test('asks for its parts and for the assembly of each level', () => {
    const facts = planFacts({ demands: [orderDemand('a', 'lamp', 5)], stock: [stockOf('arm', 3)], boms, recipes })
    expect(planUnits(facts).gaps).toEqual([
      { demandId: 'a', skuId: 'lamp', make: 'assemble', units: 5 },
      { demandId: 'a', skuId: 'arm', make: 'assemble', units: 7 },
      { demandId: 'a', skuId: 'foot', make: 'print', units: 5 },
      { demandId: 'a', skuId: 'joint', make: 'print', units: 7 },
      { demandId: 'a', skuId: 'rod', make: 'print', units: 14 },
    ])
  })

  test('has an assembly task asked for only where none is open', () => {
    const demands = [orderDemand('a', 'arm', 5)]
    const assemblyTasks = [
      openAssembly('own', 'arm', 3, { orderItemId: item('a') }),
      openAssembly('shelf', 'arm', 9),
      openAssembly('personalised', 'arm', 9, { orderItemId: item('b'), isDedicated: true }),
    ]
    const { gaps, pegs } = planUnits(planFacts({ demands, assemblyTasks, boms, recipes }))
    expect(gaps.filter(({ make }) => make === 'assemble')).toMatchObject([{ skuId: 'arm', units: 2 }])
    expect(pegs).toEqual([{ demandId: 'a', skuId: 'arm', supply: { kind: 'assembly_task', id: 'own' }, units: 3 }])
  })

  test('has what another order wants no more put together for it, in the place of a task of its own', () => {
    const demands = [
      orderDemand('urgent', 'arm', 2, { shipByMs: 10 }),
      orderDemand('later', 'arm', 3, { shipByMs: 20 }),
      orderDemand('wishes', 'arm', 1, { shipByMs: 30, isDedicated: true }),
    ]
    // Finished arms came to the urgent order, from the task of the later one.
    const assemblyTasks = [openAssembly('t', 'arm', 2, { orderItemId: item('urgent') })]
    const { gaps, pegs } = planUnits(planFacts({ demands, stock: [stockOf('arm', 2)], assemblyTasks, boms, recipes }))
    expect(gaps.filter(({ make }) => make === 'assemble')).toMatchObject([
      { demandId: 'later', units: 1 },
      { demandId: 'wishes', units: 1 },
    ])
    expect(pegs.filter(({ supply }) => supply.kind === 'assembly_task')).toMatchObject([
      { demandId: 'later', units: 2 },
    ])
  })

  test('whose parts share a part gets it for whole units: the first is complete as early as can be', () => {
    const shared = [bomFact('set', { left: 1, right: 1 }), bomFact('left', { clip: 1 }), bomFact('right', { clip: 1 })]
    const facts = { demands: [orderDemand('a', 'set', 2)], boms: shared, recipes: [recipeFact('r', { clip: 1 })] }
    expect(groupsOf({ ...facts, stock: [stockOf('clip', 2)] })).toEqual(['1 to_assemble', '1 to_print'])
  })

  test('takes its parts in the place of its order', () => {
    const demands = [orderDemand('later', 'foot', 3, { shipByMs: 20 }), orderDemand('a', 'lamp', 2, { shipByMs: 10 })]
    const facts = { demands, stock: [stockOf('foot', 4), stockOf('arm', 4)], boms, recipes }
    expect(groupsOf(facts)).toEqual(['2 to_assemble'])
    expect(groupsOf(facts, 'later')).toEqual(['2 reserved', '1 to_print'])
    expect(planUnits(planFacts(facts)).skus.find(({ skuId }) => skuId === 'foot')).toEqual({
      skuId: 'foot',
      ready: 4,
      reserved: 4,
      available: 0,
      toPrint: 1,
      toAssemble: 0,
    })
  })

  test('that is made of itself is blocked, however long the way round, and so is what is made of it', () => {
    const cyclic = [...boms, bomFact('rod', { joint: 1 }), bomFact('joint', { arm: 1 })]
    const facts = { demands: [orderDemand('a', 'lamp', 3), orderDemand('b', 'joint', 1)], boms: cyclic, recipes }
    expect(groupsOf({ ...facts, stock: [stockOf('lamp', 1)] })).toEqual(['1 reserved', '2 blocked: bom_cycle lamp'])
    expect(groupsOf(facts, 'b')).toEqual(['1 blocked: bom_cycle joint'])
    expect(groupsOf({ demands: [orderDemand('a', 's', 1)], boms: [bomFact('s', { s: 1 })] })).toEqual([
      '1 blocked: bom_cycle s',
    ])
  })

  test('with a part that cannot be made has nothing printed for it, and holds what others leave of the rest', () => {
    const demands = [orderDemand('a', 'lamp', 3, { shipByMs: 1 }), orderDemand('b', 'foot', 1)]
    const facts = { demands, stock: [stockOf('foot', 3), stockOf('arm', 2)], boms, recipes: recipes.slice(0, 2) }
    expect(groupsOf(facts)).toEqual(['1 to_assemble', '2 blocked: no_recipe joint'])
    const { pegs, gaps } = planUnits(planFacts(facts))
    expect(gaps.filter(({ make }) => make === 'print')).toEqual([])
    expect(pegs.map(({ demandId, skuId, units }) => `${demandId} ${skuId} ${units}`)).toEqual([
      'a arm 2',
      'a foot 2',
      'b foot 1',
    ])
  })

  test('without enough components is blocked from the first unit that lacks one, for every reason that holds', () => {
    const withScrews = [bomFact('lamp', { foot: 1 }, { screw: 3 })]
    const facts = { demands: [orderDemand('a', 'lamp', 4)], boms: withScrews, materials: [materialOf('screw', 7)] }
    expect(groupsOf({ ...facts, recipes })).toEqual(['2 to_print', '2 blocked: missing_component screw'])
    expect(groupsOf({ ...facts, stock: [stockOf('foot', 3)] })).toEqual([
      '2 to_assemble',
      '1 blocked: missing_component screw',
      '1 blocked: missing_component screw, no_recipe foot',
    ])
  })

  test('of bought parts alone is put together without a recipe', () => {
    const facts = { demands: [orderDemand('a', 'bag', 2)], boms: [bomFact('bag', {}, { screw: 1 })] }
    expect(groupsOf({ ...facts, materials: [materialOf('screw', 5)] })).toEqual(['2 to_assemble'])
  })

  test('of a million units with thousands of parts each, level on level, is planned like a small one', () => {
    const levels = Array.from({ length: 60 }, (_, level) =>
      bomFact(`l${level}`, { [`l${level + 1}`]: 2_000, [`l${level + 2}`]: 1_999 }),
    )
    const facts = {
      demands: [orderDemand('a', 'l0', 1_000_000)],
      boms: levels,
      recipes: [recipeFact('r', { l60: 7, l61: 1 })],
    }
    expect(groupsOf(facts)).toEqual(['1000000 blocked: too_many_parts l2, too_many_parts l3'])
    const two = {
      demands: [orderDemand('a', 'l59', 1_000_000)],
      boms: levels,
      recipes: [recipeFact('r', { l60: 7, l61: 1 })],
    }
    expect(groupsOf(two)).toEqual(['1000000 to_print'])
  })
})

describe('restocking', () => {
  const recipes = printable
  test('counts what orders leave, and fills up only when that is down to the restock point', () => {
    const demands = [orderDemand('a', 's', 4), restockDemand('s', 10, 3)]
    const facts = { demands, recipes }
    expect(groupsOf({ ...facts, stock: [stockOf('s', 8)] }, 's')).toEqual(['4 reserved'])
    expect(groupsOf({ ...facts, stock: [stockOf('s', 7)] }, 's')).toEqual(['3 reserved', '7 to_print'])
  })

  test('of a kit counts on open tasks for the shelf; a task for what is printed now makes nothing', () => {
    const boms = [bomFact('kit', { s: 1 })]
    const assemblyTasks = [openAssembly('t', 'kit', 4), openAssembly('u', 's', 4)]
    const demands = [restockDemand('kit', 6, 3), restockDemand('s', 6, 3)]
    const facts = { demands, recipes, boms, assemblyTasks, stock: [stockOf('kit', 1)] }
    expect(groupsOf(facts, 'kit')).toEqual(['1 reserved', '4 to_print'])
    expect(groupsOf(facts, 's')).toEqual(['6 to_print'])
  })

  test('reserves nothing: what is on the shelf is there for the next order', () => {
    const demands = [orderDemand('a', 's', 4), restockDemand('s', 10, 3)]
    const { skus } = planUnits(planFacts({ demands, recipes, stock: [stockOf('s', 9)] }))
    expect(skus).toMatchObject([{ ready: 9, reserved: 4, available: 5 }])
  })
})
