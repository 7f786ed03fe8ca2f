import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { appForAllTests } from '../../../test/app/app-hooks.ts'
import { addMaterial, addSku, setStock } from '../../../test/farm/test-catalogue.ts'
import { createTestFarm, type TestFarm } from '../../../test/farm/test-farm.ts'
import { fleetOf, insertFile } from '../../../test/farm/test-fleet.ts'
import { planAccount } from '../planner.ts'

const t = appForAllTests()
let farm: TestFarm
let clip: { id: string; sku: string }

type Answer = Awaited<ReturnType<typeof dataOf>>
const ask = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  farm.account.request(method, path, body)
const dataOf = async (answer: ReturnType<typeof ask>) => {
  const { statusCode, body } = await answer
  expect(statusCode, body).toBeLessThan(300)
  return JSON.parse(body).data
}
const order = (items: object[], fields: object = {}): Promise<Answer> =>
  dataOf(ask('POST', '/orders', { customer_name: 'A', items, ...fields }))
const lineOf = (quantity: number, of: { id: string } = clip) => ({ product_sku_id: of.id, quantity, unit_price: 100 })
/** As the planner leaves it, which the lists read. */
async function list(path: string): Promise<Answer[]> {
  await planAccount(t.context, farm.account.id)
  return dataOf(ask('GET', path))
}
const skusOf = (rows: Answer[]) => rows.map((row) => row.sku)
async function addRecipe(of: { id: string }) {
  const fileId = await insertFile(t, farm.account.id, { printer_model: 'MK4S', print_time_seconds: 600 })
  await dataOf(ask('POST', '/recipes', { product_sku_id: of.id, print_file_id: fileId, units_per_plate: 4 }))
}

beforeEach(async () => {
  farm = await createTestFarm(t)
  await fleetOf(t, farm).addPrinter('North 1', { auto_start: false })
  clip = await addSku(farm.account, { sku: 'CLIP' })
})
afterEach(() => farm.hub.close())

describe('GET /production/needs', () => {
  test('names the units that nothing covers with the orders that wait for them, what is due first, first', async () => {
    const hook = await addSku(farm.account, { sku: 'HOOK' })
    const shelf = await addSku(farm.account, { sku: 'SHELF' })
    for (const each of [clip, hook, shelf]) await addRecipe(each)
    await setStock(farm.account, clip, 3)
    await dataOf(ask('PATCH', `/skus/${shelf.id}`, { restock_point: 1, restock_to: 6 }))
    const later = await order([lineOf(4)], { order_number: '1', ship_by: '2030-02-01T00:00:00Z' })
    const first = await order([lineOf(2)], { order_number: '2', ship_by: '2030-01-01T00:00:00Z' })
    await order([lineOf(1, hook)], { order_number: '3', ship_by: '2030-01-15T00:00:00Z' })
    const rows = await list('/production/needs')
    expect(rows).toMatchObject([
      { sku: 'HOOK', to_print: 1, blocked: 0, shelf_units: 0, due_at: '2030-01-15T00:00:00.000Z', orders_waiting: 1 },
      {
        ...{ sku: 'CLIP', to_print: 3, orders_waiting: 1, blockers: [] },
        orders: [
          { order_id: later.id, order_number: '1', ship_by: '2030-02-01T00:00:00.000Z', to_print: 3, blocked: 0 },
        ],
      },
      { sku: 'SHELF', to_print: 0, shelf_units: 6, due_at: null, orders: [], is_makeable: true },
    ])
    expect(skusOf(await list('/production/needs?due_before=2030-01-20T00:00:00Z'))).toEqual(['HOOK'])
    expect(skusOf(await list('/production/needs?for=shelf'))).toEqual(['SHELF'])
    expect(skusOf(await list('/production/needs?for=orders&search=clip'))).toEqual(['CLIP'])
    // What is due earlier takes what lies on the shelf.
    await dataOf(ask('PATCH', `/orders/${first.id}`, { ship_by: '2031-01-01T00:00:00Z' }))
    expect((await list('/production/needs?search=CLIP'))[0].orders).toMatchObject([
      { order_number: '1', to_print: 1 },
      { order_number: '2', to_print: 2 },
    ])
  })

  test('says what keeps units from being made, and is empty once all is queued', async () => {
    await order([lineOf(2)])
    expect(await list('/production/needs')).toMatchObject([
      {
        ...{ sku: 'CLIP', to_print: 0, blocked: 2, is_makeable: false },
        blockers: [{ reason: 'no_recipe', product_sku_id: clip.id, message: 'CLIP has no recipe' }],
      },
    ])
    expect(skusOf(await list('/production/needs?is_blocked=true'))).toEqual(['CLIP'])
    expect(await list('/production/needs?is_blocked=false')).toEqual([])
    await addRecipe(clip)
    expect(await list('/production/needs')).toMatchObject([{ to_print: 2, blocked: 0, blockers: [] }])
    await dataOf(ask('POST', '/production/produce'))
    expect(await list('/production/needs')).toEqual([])
  })

  test('a shelf that nothing fills says so, and names components that are missing for orders', async () => {
    const kit = await addSku(farm.account, { sku: 'KIT' })
    await addRecipe(clip)
    const screws = await addMaterial(farm.account, 'components', { name: 'Screw', remaining_units: 0 })
    await dataOf(
      ask('PUT', `/skus/${kit.id}/bom`, {
        children: [{ child_sku_id: clip.id, quantity_required: 1 }],
        inventory: [{ inventory_item_id: screws.id, quantity_required: 2 }],
      }),
    )
    const bare = await addSku(farm.account, { sku: 'BARE' })
    await dataOf(ask('PATCH', `/skus/${bare.id}`, { restock_point: 0, restock_to: 2 }))
    await order([lineOf(1, kit)])
    expect(await list('/production/needs')).toMatchObject([
      {
        sku: 'KIT',
        blocked: 1,
        is_assembled: true,
        blockers: [{ reason: 'missing_component', material_id: screws.id, message: 'Too few Screw' }],
      },
      {
        sku: 'BARE',
        shelf_units: 2,
        is_assembled: false,
        blockers: [{ reason: 'no_recipe', product_sku_id: bare.id }],
      },
    ])
  })

  test('pages by cursor miss nothing, and another account sees none of it', async () => {
    const skus = [clip]
    for (let count = 1; count < 5; count += 1) skus.push(await addSku(farm.account, { sku: `CLIP-${count}` }))
    for (const [index, each] of skus.entries()) {
      await order([lineOf(1, each)], index < 2 ? {} : { ship_by: `2030-01-0${index}T00:00:00Z` })
    }
    const all = skusOf(await list('/production/needs'))
    const walked: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const answer = await ask('GET', `/production/needs?limit=2${cursor && `&cursor=${cursor}`}`)
      const { data, meta } = JSON.parse(answer.body)
      walked.push(...skusOf(data))
      cursor = meta.next_cursor
    }
    expect(walked).toEqual(all)
    expect([...walked].sort()).toEqual(['CLIP', 'CLIP-1', 'CLIP-2', 'CLIP-3', 'CLIP-4'])
    const stranger = await t.account()
    expect(JSON.parse((await stranger.request('GET', '/production/needs')).body).data).toEqual([])
    expect(JSON.parse((await stranger.request('GET', '/production/shelf')).body).data).toEqual([])
  })
})

describe('GET /production/shelf', () => {
  test('shows of each SKU that is kept on the shelf what is there, on its way and missing', async () => {
    await addRecipe(clip)
    await setStock(farm.account, clip, 2)
    expect(await list('/production/shelf')).toEqual([])
    await dataOf(ask('PATCH', `/skus/${clip.id}`, { restock_point: 3, restock_to: 9, auto_produce: false }))
    expect(await list('/production/shelf')).toMatchObject([
      { sku: 'CLIP', restock_point: 3, restock_to: 9, auto_produce: false, ready: 2, on_the_way: 0, missing: 7 },
    ])
    // What an order holds is not there for the shelf.
    await order([lineOf(1)])
    expect(await list('/production/shelf')).toMatchObject([{ ready: 1, missing: 8 }])
    await dataOf(ask('POST', '/production/produce'))
    expect(await list('/production/shelf')).toMatchObject([{ ready: 1, on_the_way: 8, missing: 0 }])
    expect(await list('/production/shelf?search=nothing')).toEqual([])
  })
})

test('what is not needed any more is answered with its names', async () => {
  await addRecipe(clip)
  const { id } = await order([lineOf(3)])
  const made = await dataOf(ask('POST', `/orders/${id}/produce`))
  await dataOf(ask('DELETE', `/orders/${id}`))
  const jobId = made.jobs[0].job_id
  expect(await dataOf(ask('GET', '/production/unwanted'))).toMatchObject({
    job_ids: [jobId],
    jobs: [{ id: jobId, sku: 'CLIP', units: 4, plates: 1 }],
    assembly_tasks: [],
  })
})
