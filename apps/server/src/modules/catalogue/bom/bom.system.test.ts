import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestAccount, type TestApp } from '../../../test/app/test-app.ts'
import { addMaterial, addSku, itemOf, setStock } from '../../../test/farm/test-catalogue.ts'

let t: TestApp
let farm: TestAccount
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  farm = await t.account()
})

const putBom = (skuId: string, body: object) => farm.request('PUT', `/skus/${skuId}/bom`, body)
const child = (sku: { id: string }, quantity_required = 1) => ({ child_sku_id: sku.id, quantity_required })
const line = (material: { id: string }, quantity_required = 1) => ({
  inventory_item_id: material.id,
  quantity_required,
})

async function setBom(sku: { id: string }, body: object) {
  const answer = await putBom(sku.id, body)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}

const bomEvents = () =>
  t.db.sql`select subject_id, data from events where account_id = ${farm.id} and type = 'sku.bom_set' order by id`

describe('PUT /skus/{id}/bom', () => {
  test('answers the bill with what is there of each line, and how many units that is enough for', async () => {
    const [kit, base, shade] = [await addSku(farm), await addSku(farm, { color: 'Red' }), await addSku(farm)]
    const screws = await addMaterial(farm, 'components', { name: 'Screw', remaining_units: 11 })
    const box = await addMaterial(farm, 'packaging', { name: 'Box', remaining_units: 1 })
    await setStock(farm, base, 7)
    await setStock(farm, shade, 4)
    const bill = {
      children: [child(base, 2), child(shade)],
      inventory: [line(screws, 4), line(box)],
    }
    const bom = await setBom(kit, bill)
    expect(bom).toEqual({
      sku_id: kit.id,
      is_composite: true,
      available_to_build: 2,
      children: [
        {
          child_sku_id: base.id,
          quantity_required: 2,
          child_sku: base.sku,
          child_color: 'Red',
          child_is_composite: false,
          child_ready_stock: 7,
        },
        expect.objectContaining({ child_sku_id: shade.id, quantity_required: 1, child_ready_stock: 4 }),
      ],
      inventory: [
        {
          inventory_item_id: screws.id,
          quantity_required: 4,
          kind: 'components',
          item_name: 'Screw',
          remaining: 11,
          unit: 'pcs',
        },
        {
          inventory_item_id: box.id,
          quantity_required: 1,
          kind: 'packaging',
          item_name: 'Box',
          remaining: 1,
          unit: 'pcs',
        },
      ],
    })
    expect((await farm.request('GET', `/skus/${kit.id}/bom`)).json().data).toEqual(bom)
    expect(await bomEvents()).toEqual([
      {
        subject_id: kit.id,
        data: {
          children: [
            { product_sku_id: base.id, quantity: 2 },
            { product_sku_id: shade.id, quantity: 1 },
          ],
          materials: [
            { material_id: screws.id, quantity: 4 },
            { material_id: box.id, quantity: 1 },
          ],
        },
      },
    ])
    await setBom(kit, bill)
    expect(await bomEvents()).toHaveLength(1)
  })

  test('one rule says what can be built, in the SKU, its inventory item and its bill', async () => {
    const [kit, part] = [await addSku(farm), await addSku(farm, { color: 'Blue' })]
    await setStock(farm, part, 5)
    await setBom(kit, { children: [child(part, 2)] })
    const built = { is_composite: true, available_to_build: 2, effective_status: 'needs_assembly' }
    expect((await farm.request('GET', `/skus/${kit.id}`)).json().data).toMatchObject(built)
    const item = await itemOf(farm, kit)
    expect((await farm.request('GET', `/inventory/${item.id}`)).json().data).toMatchObject({
      ...built,
      status: 'out_of_stock',
      product_id: kit.product_id,
      parts_on_hand: [
        {
          part_sku_id: part.id,
          part_name: expect.stringContaining(part.sku),
          color: 'Blue',
          on_hand: 5,
          quantity_per_kit: 2,
          enough_for_one_kit: true,
        },
      ],
    })
    expect((await farm.request('GET', `/skus?product_id=${kit.product_id}`)).json().data).toMatchObject([
      { is_composite: true },
    ])
    await setBom(kit, { children: [] })
    expect((await farm.request('GET', `/skus/${kit.id}`)).json().data).toMatchObject({
      is_composite: false,
      available_to_build: 0,
      effective_status: 'out_of_stock',
    })
  })

  test('goes over several levels, each built of the ready stock of the one below', async () => {
    const [set, lamp, base] = [await addSku(farm), await addSku(farm), await addSku(farm)]
    await setBom(lamp, { children: [child(base)] })
    const bom = await setBom(set, { children: [child(lamp, 2)] })
    expect(bom).toMatchObject({ available_to_build: 0, children: [{ child_is_composite: true }] })
    await setStock(farm, base, 9)
    expect((await farm.request('GET', `/skus/${set.id}/bom`)).json().data.available_to_build).toBe(0)
    await setStock(farm, lamp, 2)
    expect((await farm.request('GET', `/skus/${set.id}/bom`)).json().data.available_to_build).toBe(1)
  })

  test('a cycle is refused by the way that it would take', async () => {
    const [a, b, c] = [
      await addSku(farm, { sku: 'A' }),
      await addSku(farm, { sku: 'B' }),
      await addSku(farm, { sku: 'C' }),
    ]
    await setBom(a, { children: [child(b)] })
    await setBom(b, { children: [child(c)] })
    const other = await addSku(farm)
    const answer = await putBom(c.id, { children: [child(other), child(a)] })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { 'children.1.child_sku_id': ['would make a cycle: C → A → B → C'] },
    })
    expect((await farm.request('GET', `/skus/${c.id}/bom`)).json().data.children).toEqual([])
  })

  test('of two bills at once that would make a cycle together, one is refused', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await addSku(farm), await addSku(farm)]
      const answers = await Promise.all([
        putBom(a.id, { children: [child(b)] }),
        putBom(b.id, { children: [child(a)] }),
      ])
      expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400])
    }
  })

  test('refuses itself, what is named twice, what is not in use, and impossible quantities, by their place', async () => {
    const [kit, part, retired] = [await addSku(farm), await addSku(farm), await addSku(farm)]
    const screws = await addMaterial(farm, 'components', { name: 'Screw' })
    await farm.request('PATCH', `/skus/${retired.id}`, { is_active: false })
    const details = async (body: object) => {
      const answer = await putBom(kit.id, body)
      expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'VALIDATION_ERROR'])
      return answer.json().error.details
    }
    expect(await details({ children: [child(kit)] })).toEqual({
      'children.0.child_sku_id': ['must not be the SKU itself'],
    })
    expect(await details({ children: [child(part), child(part, 2)] })).toEqual({
      'children.1.child_sku_id': ['is named twice'],
    })
    expect(await details({ inventory: [line(screws), line(screws)] })).toEqual({
      'inventory.1.inventory_item_id': ['is named twice'],
    })
    expect(await details({ children: [child(part), child(retired)] })).toEqual({
      'children.1.child_sku_id': ['is not in use any more'],
    })
    for (const quantity of [0, -1, 1.5, '2', 2_001, null]) {
      const body = { children: [{ child_sku_id: part.id, quantity_required: quantity }] }
      expect(Object.keys(await details(body))).toEqual(['children.0.quantity_required'])
    }
    expect(await details({})).toEqual({ _root: ['must have at least one field'] })
    expect(await bomEvents()).toEqual([])
  })

  test('IDs of another account are as unknown as those that never were', async () => {
    const stranger = await t.account()
    const [kit, foreign] = [await addSku(farm), await addSku(stranger)]
    const theirs = await addMaterial(stranger, 'components', { name: 'Screw' })
    const spool = await addMaterial(farm, 'filament', { type: 'PLA' })
    for (const id of [foreign.id, 'sku_unknown']) {
      const answer = await putBom(kit.id, { children: [child({ id })] })
      expect([answer.statusCode, answer.json().error]).toEqual([
        404,
        expect.objectContaining({ code: 'SKU_NOT_FOUND', details: { child_sku_ids: [id] } }),
      ])
    }
    for (const id of [theirs.id, spool.id, 'mat_unknown']) {
      const answer = await putBom(kit.id, { inventory: [line({ id })] })
      expect([answer.statusCode, answer.json().error]).toEqual([
        404,
        expect.objectContaining({ code: 'UNKNOWN_INVENTORY_ITEM', details: { inventory_item_ids: [id] } }),
      ])
    }
    const answer = await putBom(foreign.id, { children: [] })
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'NOT_FOUND'])
  })

  test('a component that a bill names is not deleted', async () => {
    const kit = await addSku(farm)
    const screws = await addMaterial(farm, 'components', { name: 'Screw' })
    await setBom(kit, { inventory: [line(screws)] })
    const remove = () => farm.request('DELETE', `/materials/components/${screws.id}`)
    const refused = await remove()
    expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'RESOURCE_IN_USE'])
    await setBom(kit, { inventory: [] })
    expect((await remove()).statusCode).toBe(200)
  })
})
