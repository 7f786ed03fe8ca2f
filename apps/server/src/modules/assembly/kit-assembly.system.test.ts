import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestAccount, type TestApp } from '../../test/app/test-app.ts'
import { addMaterial, addSku, itemOf, setStock } from '../../test/farm/test-catalogue.ts'

let t: TestApp
let farm: TestAccount
let kit: { id: string; sku: string; product_id: string }
let base: typeof kit
let shade: typeof kit
let screws: { id: string }
let box: { id: string }
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  farm = await t.account()
  kit = await addSku(farm, { sku: 'LAMP' })
  base = await addSku(farm, { sku: 'BASE' })
  shade = await addSku(farm, { sku: 'SHADE' })
  screws = await addMaterial(farm, 'components', { name: 'Screw', remaining_units: 40 })
  box = await addMaterial(farm, 'packaging', { name: 'Box', remaining_units: 3 })
  await setStock(farm, base, 10)
  await setStock(farm, shade, 10)
  await done('PUT', `/skus/${kit.id}/bom`, {
    children: [
      { child_sku_id: base.id, quantity_required: 1 },
      { child_sku_id: shade.id, quantity_required: 2 },
    ],
    inventory: [
      { inventory_item_id: screws.id, quantity_required: 4 },
      { inventory_item_id: box.id, quantity_required: 1 },
    ],
  })
})

async function done(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) {
  const answer = await farm.request(method, path, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}

const assemble = (quantity: number) => done('POST', `/skus/${kit.id}/assemble`, { quantity })
const complete = (id: string, body: object = {}) => farm.request('POST', `/assembly/${id}/complete`, body)
const ready = async (sku: { sku: string }) => (await itemOf(farm, sku)).ready_stock
const left = async (kind: string, { id }: { id: string }) =>
  (await done('GET', `/materials/${kind}/${id}`)).remaining_units

async function counts() {
  await expectBalancedLedgers()
  return [await ready(kit), await ready(base), await ready(shade), await left('components', screws)]
}

/** Sums of movements that differ from the quantity that they make up; there are never any. */
async function expectBalancedLedgers() {
  const wrong = await t.db.sql`
    select i.id from inventory_items i
    left join stock_movements m on m.account_id = i.account_id and m.inventory_item_id = i.id
    where i.account_id = ${farm.id} group by i.account_id, i.id
    having i.ready_stock <> coalesce(sum(m.change) filter (where m.stock = 'ready'), 0)
      or i.quantity_needs_assembly <> coalesce(sum(m.change) filter (where m.stock = 'needs_assembly'), 0)
    union all
    select s.id from materials s
    left join material_movements m on m.account_id = s.account_id and m.material_id = s.id
    where s.account_id = ${farm.id} group by s.account_id, s.id having s.remaining <> coalesce(sum(m.change), 0)`
  expect(wrong).toEqual([])
}

describe('POST /skus/{id}/assemble', () => {
  test('makes a pending task for a kit, and moves nothing', async () => {
    const task = await assemble(3)
    expect(task).toMatchObject({
      kind: 'kit_assembly',
      status: 'pending',
      product_sku_id: kit.id,
      sku: 'LAMP',
      quantity: 3,
    })
    expect(await counts()).toEqual([0, 10, 10, 40])
    expect(await done('GET', '/assembly?kind=kit_assembly')).toMatchObject([{ id: task.id }])
    expect(await done('GET', '/assembly?kind=print_assembly')).toEqual([])
    expect(await done('GET', '/worklist?task_type=assembly')).toMatchObject([
      { status: 'pending', title: expect.stringContaining('3 ×') },
    ])
  })

  test('is refused, with what is missing of each line, when there is not enough for all units', async () => {
    const answer = await farm.request('POST', `/skus/${kit.id}/assemble`, { quantity: 11 })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toEqual({
      code: 'INSUFFICIENT_FOR_KIT',
      message: 'There is not enough to put 11 units together: 1 × BASE missing, 12 × SHADE missing, 4 × Screw missing.',
      details: {
        shortages: [
          { sku_id: base.id, inventory_item_id: null, name: 'BASE', required: 11, available: 10, missing: 1, held: 0 },
          {
            sku_id: shade.id,
            inventory_item_id: null,
            name: 'SHADE',
            required: 22,
            available: 10,
            missing: 12,
            held: 0,
          },
          {
            sku_id: null,
            inventory_item_id: screws.id,
            name: 'Screw',
            required: 44,
            available: 40,
            missing: 4,
            held: 0,
          },
        ],
      },
    })
    expect(await done('GET', '/assembly')).toEqual([])
  })

  test('once per Idempotency-Key; not for what has no children, nor for the SKU of another account', async () => {
    const send = () => farm.request('POST', `/skus/${kit.id}/assemble`, undefined, { 'idempotency-key': 'kit' })
    const first = await send()
    expect([first.statusCode, first.json().data.quantity]).toEqual([201, 1])
    expect((await send()).body).toBe(first.body)
    expect(await done('GET', '/assembly')).toHaveLength(1)
    const single = await farm.request('POST', `/skus/${base.id}/assemble`, {})
    expect([single.statusCode, single.json().error.code]).toEqual([400, 'VALIDATION_ERROR'])
    const foreign = await (await t.account()).request('POST', `/skus/${kit.id}/assemble`, {})
    expect([foreign.statusCode, foreign.json().error.code]).toEqual([404, 'NOT_FOUND'])
    for (const quantity of [0, -1, 1.5, '2', 1_000_001]) {
      const answer = await farm.request('POST', `/skus/${kit.id}/assemble`, { quantity })
      expect([answer.statusCode, Object.keys(answer.json().error.details)]).toEqual([400, ['quantity']])
    }
  })
})

describe('POST /assembly of the kind kit_assembly', () => {
  const ask = (body: object) => farm.request('POST', '/assembly', { kind: 'kit_assembly', ...body })

  test('makes the task of a kit, by SKU and by inventory item, which takes the parts when it is completed', async () => {
    const bySku = (await ask({ product_sku_id: kit.id, quantity: 2 })).json().data
    const byItem = (await ask({ finished_good_id: (await itemOf(farm, kit)).id })).json().data
    expect([bySku, byItem]).toMatchObject([
      { kind: 'kit_assembly', quantity: 2, product_sku_id: kit.id },
      { kind: 'kit_assembly', quantity: 1, product_sku_id: kit.id },
    ])
    expect((await complete(bySku.id)).statusCode).toBe(200)
    expect(await counts()).toEqual([2, 8, 6, 32])
  })

  test('is what is asked for of a kit without a kind, so that the task can be completed', async () => {
    const task = await done('POST', '/assembly', { product_sku_id: kit.id, quantity: 2 })
    expect(task).toMatchObject({ kind: 'kit_assembly', quantity: 2 })
    expect((await farm.request('POST', `/assembly/${task.id}/complete`)).statusCode).toBe(200)
    expect(await counts()).toEqual([2, 8, 6, 32])
    const single = await done('POST', '/assembly', { product_sku_id: base.id })
    expect(single.kind).toBe('print_assembly')
    await t.db.sql`
      update inventory_items set quantity_needs_assembly = 1
      where account_id = ${farm.id} and product_sku_id = ${kit.id}`
    const kinds = [1, 2].map((quantity) => done('POST', '/assembly', { product_sku_id: kit.id, quantity }))
    expect(await Promise.all(kinds)).toMatchObject([{ kind: 'print_assembly' }, { kind: 'kit_assembly' }])
  })

  test('what is made of components alone is put together too, for an order and for the shelf', async () => {
    const bag = await addSku(farm, { sku: 'SCREW-BAG' })
    await done('PUT', `/skus/${bag.id}/bom`, {
      children: [],
      inventory: [{ inventory_item_id: screws.id, quantity_required: 10 }],
    })
    const items = [{ product_sku_id: bag.id, quantity: 1, unit_price: 1 }]
    const order = await done('POST', '/orders', { items })
    const produced = await done('POST', `/orders/${order.id}/produce`)
    expect((await complete(produced.assembly_tasks[0].assembly_task_id)).statusCode).toBe(200)
    const task = await done('POST', '/assembly', { product_sku_id: bag.id })
    expect(task.kind).toBe('kit_assembly')
    expect((await complete(task.id)).statusCode).toBe(200)
    expect(await ready(bag)).toBe(2)
    expect(await left('components', screws)).toBe(20)
    await expectBalancedLedgers()
  })

  test('is refused as /skus/{id}/assemble refuses it, and makes no task', async () => {
    const refusals = [
      [{ product_sku_id: kit.id, quantity: 11 }, 400, 'INSUFFICIENT_FOR_KIT'],
      [{ product_sku_id: base.id }, 400, 'VALIDATION_ERROR'],
      [{ product_sku_id: 'sku_01kaxq3v7m2e8h5t9w4c6y0b1d' }, 404, 'SKU_NOT_FOUND'],
      [{ product_sku_id: kit.id, kind: 'kit' }, 400, 'VALIDATION_ERROR'],
    ] as const
    for (const [body, status, code] of refusals) {
      const answer = await ask(body)
      expect([answer.statusCode, answer.json().error.code]).toEqual([status, code])
    }
    expect(await done('GET', '/assembly')).toEqual([])
  })
})

describe('completing a kit', () => {
  test('takes children and components and credits the kit, with both ledgers naming the task', async () => {
    const { id } = await assemble(3)
    expect((await complete(id)).json().data).toMatchObject({ status: 'completed', quantity_completed: 3 })
    expect(await counts()).toEqual([3, 7, 4, 28])
    expect(await left('packaging', box)).toBe(3)
    const movementsOf = async (sku: { sku: string }) => {
      const [latest] = await done('GET', `/inventory/${(await itemOf(farm, sku)).id}/movements?limit=1`)
      return [latest.reason, latest.change, latest.assembly_task_id]
    }
    expect(await movementsOf(kit)).toEqual(['assembled', 3, id])
    expect(await movementsOf(shade)).toEqual(['used_in_assembly', -6, id])
    expect(await done('GET', `/materials/components/${screws.id}/movements?limit=1`)).toMatchObject([
      { reason: 'assembled', change: -12, quantity_after: 28, assembly_task_id: id },
    ])
    expect(await done('GET', '/worklist?task_type=assembly&status=pending')).toEqual([])
  })

  test('in parts takes what each part needs; rejected kits have used up theirs', async () => {
    const { id } = await assemble(4)
    expect((await complete(id, { quantity_completed: 1 })).json().data.status).toBe('in_progress')
    expect(await counts()).toEqual([1, 9, 8, 36])
    const rest = await complete(id, { quantity_completed: 2, quantity_rejected: 1 })
    expect(rest.json().data).toMatchObject({ status: 'completed', quantity_completed: 3, quantity_rejected: 1 })
    expect(await counts()).toEqual([3, 6, 2, 24])
  })

  test('is all or nothing: one component short and nothing moves, fewer units still go', async () => {
    const { id } = await assemble(3)
    await done('POST', `/materials/components/${screws.id}/consume`, { quantity: 30 })
    const answer = await complete(id)
    expect([answer.statusCode, answer.json().error]).toEqual([
      400,
      expect.objectContaining({
        code: 'INSUFFICIENT_FOR_KIT',
        details: { shortages: [expect.objectContaining({ name: 'Screw', required: 12, available: 10, missing: 2 })] },
      }),
    ])
    expect(await counts()).toEqual([0, 10, 10, 10])
    expect(await done('GET', `/assembly/${id}`)).toMatchObject({ status: 'pending', quantity_completed: 0 })
    expect((await complete(id, { quantity_completed: 2 })).statusCode).toBe(200)
    expect(await counts()).toEqual([2, 8, 6, 2])
  })

  test('takes nothing that an order holds which wants no kit, and says so; what orders of kits hold is for them', async () => {
    const order = (sku: typeof kit, quantity: number, ship_by: string) =>
      done('POST', '/orders', {
        customer_name: 'A',
        items: [{ product_sku_id: sku.id, quantity, unit_price: 100 }],
        ship_by,
      })
    await order(kit, 1, '2031-02-01T00:00:00Z')
    await order(kit, 1, '2031-03-01T00:00:00Z')
    const { assembly_tasks: tasks } = await done('POST', '/production/produce')
    const shades = await order(shade, 7, '2031-01-01T00:00:00Z')
    await done('POST', `/orders/${shades.id}/picks`, {})

    // The task of the later order: what it takes is held for the earlier one, which gets the kit.
    expect((await complete(tasks[1].assembly_task_id)).statusCode).toBe(200)
    expect(await counts()).toEqual([1, 9, 8, 36])
    const refused = await complete(tasks[0].assembly_task_id)
    expect(refused.json().error).toMatchObject({
      code: 'INSUFFICIENT_FOR_KIT',
      message: expect.stringContaining('1 × SHADE missing (7 held for orders)'),
      details: { shortages: [{ name: 'SHADE', required: 2, available: 1, missing: 1, held: 7 }] },
    })
    const { parts } = await done('GET', `/assembly/${tasks[0].assembly_task_id}`)
    expect(parts).toMatchObject([
      { sku: 'BASE', missing: 0 },
      { sku: 'SHADE', needed: 2, available: 1, missing: 1 },
      {},
    ])
    const asked = await farm.request('POST', `/skus/${kit.id}/assemble`, { quantity: 1 })
    expect(asked.json().error.code).toBe('INSUFFICIENT_FOR_KIT')
    expect(await counts()).toEqual([1, 9, 8, 36])
    expect((await done('POST', `/orders/${shades.id}/fulfill`, {})).status).toBe('fulfilled')
  })

  test('by the status of the task, or by its task of the worklist, is the same', async () => {
    const first = await assemble(1)
    expect(await done('PATCH', `/assembly/${first.id}`, { status: 'completed', notes: 'Done' })).toMatchObject({
      status: 'completed',
      quantity_completed: 1,
      notes: 'Done',
    })
    await assemble(1)
    const [work] = await done('GET', '/worklist?task_type=assembly&status=pending')
    await done('PUT', `/worklist/${work.id}/status`, { status: 'completed' })
    expect(await counts()).toEqual([2, 8, 6, 32])
    await assemble(1)
    await setStock(farm, base, 0)
    const [short] = await done('GET', '/worklist?task_type=assembly&status=pending')
    const refused = await farm.request('PUT', `/worklist/${short.id}/status`, { status: 'completed' })
    expect([refused.statusCode, refused.json().error.code]).toEqual([400, 'INSUFFICIENT_FOR_KIT'])
    expect(await done('GET', `/worklist/${short.id}`)).toMatchObject({ status: 'pending' })
  })

  test('is refused when its bill has lost its children: nothing is made of nothing', async () => {
    const { id } = await assemble(1)
    await done('PUT', `/skus/${kit.id}/bom`, { children: [] })
    const answer = await complete(id)
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'INSUFFICIENT_FOR_KIT'])
    expect(await ready(kit)).toBe(0)
  })

  test('of printed units takes the components that their bill names', async () => {
    const lamp = await addSku(farm)
    await done('PUT', `/skus/${lamp.id}/bom`, {
      inventory: [{ inventory_item_id: screws.id, quantity_required: 5 }],
    })
    await t.db.sql`
      with item as (
        update inventory_items set quantity_needs_assembly = 3
        where account_id = ${farm.id} and product_sku_id = ${lamp.id} returning id)
      insert into stock_movements
        (account_id, id, inventory_item_id, stock, reason, change, quantity_before, quantity_after, actor)
      select ${farm.id}, 'mov_test_' || id, id, 'needs_assembly', 'job_completed', 3, 0, 3, 'system' from item`
    const task = await done('POST', '/assembly', { product_sku_id: lamp.id, quantity: 3 })
    await done('POST', `/assembly/${task.id}/complete`, { quantity_completed: 2, quantity_rejected: 1 })
    expect([await ready(lamp), await left('components', screws)]).toEqual([2, 30])
    await expectBalancedLedgers()
  })

  test('many at once, beside fulfilments of kit and part in the other order, neither wait for ever nor oversell', async () => {
    await setStock(farm, base, 30)
    await setStock(farm, shade, 60)
    await setStock(farm, kit, 5)
    await done('POST', `/materials/components/${screws.id}/restock`, { quantity: 200 })
    const other = await addSku(farm, { sku: 'ALSO' })
    await done('PUT', `/skus/${other.id}/bom`, {
      children: [
        { child_sku_id: shade.id, quantity_required: 1 },
        { child_sku_id: base.id, quantity_required: 1 },
      ],
      inventory: [{ inventory_item_id: screws.id, quantity_required: 1 }],
    })
    const tasks = []
    for (let n = 0; n < 6; n++) {
      tasks.push(await assemble(2), await done('POST', `/skus/${other.id}/assemble`, { quantity: 2 }))
    }
    const orders = []
    for (let n = 0; n < 4; n++) {
      const items = [shade, kit, base].map((sku) => ({ product_sku_id: sku.id, quantity: 1, unit_price: 100 }))
      orders.push(await done('POST', '/orders', { customer_name: 'A', items }))
    }
    const answers = await Promise.all([
      ...tasks.map(({ id }) => complete(id)),
      ...orders.map(({ id }) => farm.request('POST', `/orders/${id}/fulfill`, {})),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
    expect(await counts()).toEqual([5 + 12 - 4, 30 - 12 - 12 - 4, 60 - 24 - 12 - 4, 240 - 48 - 12])
  })
})

test('the detail of a task carries the whole article with its sections', async () => {
  const { id } = await assemble(1)
  expect((await done('GET', `/assembly/${id}`)).wiki_article).toBeNull()
  const article = await done('POST', '/wiki', {
    title: 'How to put a lamp together',
    sku_id: kit.id,
    sections: [{ type: 'step', title: 'Screw', content: 'Four screws.' }],
  })
  await done('POST', `/wiki/${article.id}/publish`)
  const { wiki_article } = await done('GET', `/assembly/${id}`)
  expect(wiki_article).toEqual(await done('GET', `/wiki/${article.id}`))
  expect(wiki_article.sections).toMatchObject([{ type: 'step', title: 'Screw', content: 'Four screws.' }])
})

test('the article that its product names goes with a task, unless one is about its SKU', async () => {
  const { id } = await assemble(1)
  const add = async (title: string, fields: object = {}) => {
    const article = await done('POST', '/wiki', { title, ...fields })
    await done('POST', `/wiki/${article.id}/publish`)
    return article
  }
  const shown = async () => (await done('GET', `/assembly/${id}`)).wiki_article?.title
  const general = await add('How to use glue')
  await add('Our lamps', { product_id: kit.product_id })
  expect(await shown()).toBe('Our lamps')
  await done('PATCH', `/products/${kit.product_id}`, { wiki_id: general.id })
  expect(await shown()).toBe('How to use glue')
  await add('The red lamp', { sku_id: kit.id })
  expect(await shown()).toBe('The red lamp')
})

test('the detail of a task says what the units that are left take, where it lies and what is missing', async () => {
  const { id: itemId } = await itemOf(farm, shade)
  await done('PATCH', `/inventory/${itemId}`, { bin: 'A-03' })
  await done('PATCH', `/materials/components/${screws.id}`, { location: 'Drawer 2' })
  const { id } = await assemble(5)
  expect((await complete(id, { quantity_completed: 1 })).statusCode).toBe(200)
  await setStock(farm, shade, 5)
  const { parts, image_url } = await done('GET', `/assembly/${id}`)
  expect(image_url).toBe('')
  expect(parts).toMatchObject([
    {
      product_sku_id: base.id,
      material_id: null,
      sku: 'BASE',
      bin: '',
      per_unit: 1,
      needed: 4,
      available: 9,
      missing: 0,
    },
    { product_sku_id: shade.id, sku: 'SHADE', bin: 'A-03', per_unit: 2, needed: 8, available: 5, missing: 3 },
    { material_id: screws.id, name: 'Screw', bin: 'Drawer 2', per_unit: 4, needed: 16, available: 36, missing: 0 },
  ])
})
