import { expect, test } from 'vitest'
import { farmForEachTest } from '../../../test/app/app-hooks.ts'
import { addSku, setStock } from '../../../test/farm/test-catalogue.ts'
import { planAccount } from '../../planning/planner.ts'

const { t, farm } = farmForEachTest()

async function ask(method: 'GET' | 'POST' | 'PATCH' | 'PUT', path: string, body?: object) {
  const answer = await farm.account.request(method, path, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}

async function addSpool(fields: object, isLoaded = false): Promise<string> {
  const { id } = await ask('POST', '/materials/filament', { type: 'PETG', hex_code: '#112233', ...fields })
  if (isLoaded) await ask('PATCH', `/materials/filament/${id}`, { printer_id: farm.printerId })
  return id
}

test('the forecast sets what queued and running jobs take against spools, by colour and by printer', async () => {
  const loaded = await addSpool({ color: 'Black', remaining_grams: 40 }, true)
  await addSpool({ color: 'White', hex_code: '#FFFFFF', remaining_grams: 1_000 })
  const black = { filament_type: 'PETG', color: 'Black' }
  await farm.print(await farm.queueJob(black))
  await farm.queueJob({ ...black, number_of_units: 3 })
  await farm.queueJob({ ...black, printer_id: undefined, number_of_units: 2 })
  await farm.queueJob({ printer_id: undefined })

  const { filament, printers, items } = await ask('GET', '/materials/forecast')
  // 12.35 g a plate as the rules have it: six of them in black, one in any colour.
  expect(filament).toMatchObject([
    { type: 'PETG', color: 'Black', plates: 6, needed_grams: 74.1, on_hand_grams: 40, to_buy_grams: 34.1 },
    { type: 'PETG', color: '', any_color: true, plates: 1, needed_grams: 12.35, on_hand_grams: 1_000, to_buy_grams: 0 },
    {
      type: 'PETG',
      color: 'White',
      plates: 0,
      needed_grams: 0,
      on_hand_grams: 1_000,
      to_buy_grams: 0,
      days_left: null,
    },
  ])
  expect(printers).toEqual([
    {
      printer_id: farm.printerId,
      printer_name: 'Printer',
      spools: [
        {
          material_id: loaded,
          slot: 0,
          type: 'PETG',
          color: 'Black',
          remaining_grams: 40,
          reserved_grams: 12.345,
          queued_grams: 37.05,
          missing_grams: 9.395,
          runs_out_in: 'queued_jobs',
        },
      ],
    },
  ])
  expect(items).toEqual([])

  const csv = await farm.account.request('GET', '/materials/forecast?format=csv')
  expect(
    csv.body
      .replace(/^\uFEFF/, '')
      .trim()
      .split('\r\n'),
  ).toEqual(['kind,type,color,name,needed,on_hand,to_buy,unit', 'filament,PETG,Black,,74.1,40,34.1,g'])
  const byPrinter = await farm.account.request('GET', '/materials/forecast?format=csv&by=printer')
  expect(byPrinter.body).toContain('Printer,0,PETG,Black,40,12.345,37.05,9.395,queued_jobs')
  const byFilament = await farm.account.request('GET', '/materials/forecast?format=csv&by=filament')
  expect(byFilament.body.trim().split('\r\n')).toHaveLength(4)
})

test('what was taken lately says how long a colour lasts', async () => {
  const id = await addSpool({ color: 'Black', remaining_grams: 400 })
  await ask('POST', `/materials/filament/${id}/consume`, { quantity: 300 })
  await ask('PATCH', `/materials/filament/${id}`, { remaining_grams: 200 })
  const { filament } = await ask('GET', '/materials/forecast')
  expect(filament).toMatchObject([{ color: 'Black', on_hand_grams: 200, daily_use_grams: 10, days_left: 20 }])
})

test('open orders and assemblies take components, and orders packaging, as bills of materials say', async () => {
  const screw = await ask('POST', '/materials/components', { name: 'Screw', type: 'screw', remaining_units: 5 })
  const box = await ask('POST', '/materials/packaging', { name: 'Box', type: 'box', remaining_units: 100 })
  const [part, kit] = [await addSku(farm.account), await addSku(farm.account)]
  await ask('PUT', `/skus/${kit.id}/bom`, {
    children: [{ child_sku_id: part.id, quantity_required: 1 }],
    inventory: [
      { inventory_item_id: screw.id, quantity_required: 4 },
      { inventory_item_id: box.id, quantity_required: 1 },
    ],
  })
  await ask('POST', '/orders', {
    order_number: 'F-1',
    customer_name: 'A',
    items: [{ product_sku_id: kit.id, quantity: 7, unit_price: 100 }],
  })
  await planAccount(t.context, farm.account.id)
  const expected = [
    { material_id: screw.id, kind: 'components', needed_units: 28, on_hand_units: 5, to_buy_units: 23 },
    { material_id: box.id, kind: 'packaging', needed_units: 7, on_hand_units: 100, to_buy_units: 0 },
  ]
  expect((await ask('GET', '/materials/forecast')).items).toMatchObject(expected)
  // A task is for the first of them, and takes nothing besides.
  await setStock(farm.account, part, 1)
  await ask('POST', '/assembly', { product_sku_id: kit.id, quantity: 1 })
  await planAccount(t.context, farm.account.id)
  expect((await ask('GET', '/materials/forecast')).items).toMatchObject(expected)
  const csv = await farm.account.request('GET', '/materials/forecast?format=csv')
  expect(csv.body).toContain('components,screw,,Screw,28,5,23,pieces')
})

test("another account's jobs and spools are no part of it", async () => {
  await addSpool({ color: 'Black', remaining_grams: 40 }, true)
  await farm.queueJob()
  const stranger = await t.account({ name: 'Stranger' })
  expect((await stranger.request('GET', '/materials/forecast')).json().data).toEqual({
    filament: [],
    printers: [],
    items: [],
  })
})
