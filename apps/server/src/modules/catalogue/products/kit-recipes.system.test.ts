import { beforeEach, describe, expect, test } from 'vitest'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'
import { addSku } from '../../../test/farm/test-catalogue.ts'
import { insertFile } from '../../../test/farm/test-fleet.ts'

const { t, account } = accountForEachTest()

const get = async (path: string) => (await account.request('GET', path)).json().data

async function send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) {
  const answer = await account.request(method, path, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}

const addFile = (fields: object = {}) => insertFile(t, account.id, { filament_type: 'PLA', object_count: 4, ...fields })

/** A lamp in two colours, of a base that has a file and a holder in one colour. */
const lamp = (base: object, holder: object = {}) => ({
  name: 'Desk lamp',
  variants: [
    { color: 'Red', filament_type: 'PLA' },
    { color: 'Blue', filament_type: 'PLA' },
  ],
  parts: [
    { name: 'Base', quantity_per_kit: 1, ...base },
    { name: 'Holder', quantity_per_kit: 2, fixed_color: 'White', ...holder },
  ],
})

/** The same kit again, with this of its parts. */
function again(kit: { skus: object[]; kit: { parts: object[] } }, base: object, holder: object = {}) {
  const [first, second] = kit.kit.parts
  const variants = kit.skus.map((sku) => {
    const { id, color, filament_type } = sku as Record<string, string>
    return { sku_id: id, color, filament_type }
  })
  return {
    name: 'Desk lamp',
    variants,
    parts: [
      { ...first, ...base },
      { ...second, ...holder },
    ],
  }
}

interface Recipe {
  id: string
  product_sku_id: string
  print_file_id: string
}

/** The recipes of the account by the codes of the SKUs that they make. */
async function recipes(): Promise<Record<string, Recipe[]>> {
  const skus: { id: string; sku: string }[] = await get('/skus?limit=100')
  const found: Recipe[] = await get('/recipes?limit=100')
  return Object.fromEntries(
    skus
      .map(({ id, sku }) => [sku, found.filter((recipe) => recipe.product_sku_id === id)] as const)
      .filter(([, made]) => made.length > 0),
  )
}

let file: string
beforeEach(async () => {
  file = await addFile()
})

describe('a part of a kit that has a file', () => {
  test('can be printed by it in each of its colours', async () => {
    await send('POST', '/products/kit', lamp({ print_file_id: file }))
    const { 'DESK-LAMP-BASE-RED': red, 'DESK-LAMP-BASE-BLUE': blue, ...others } = await recipes()
    expect(others).toEqual({})
    for (const made of [red, blue]) {
      expect(made).toMatchObject([{ print_file_id: file, units_per_plate: 4, is_active: true, also_makes: [] }])
    }
    const job = await send('POST', '/jobs', { product_sku_id: red?.[0]?.product_sku_id, number_of_units: 6 })
    expect(job).toMatchObject({ status: 'queued', product_name: 'Desk lamp', sku_name: 'Red PLA' })
  })

  test('keeps what people changed of its recipe, and recipes by other files', async () => {
    const kit = await send('POST', '/products/kit', lamp({ print_file_id: file }))
    const { 'DESK-LAMP-BASE-RED': [red] = [] } = await recipes()
    await send('PATCH', `/recipes/${red?.id}`, { units_per_plate: 9, rank: 2, is_active: false })
    const other = await addFile()
    await send('POST', '/recipes', { product_sku_id: red?.product_sku_id, print_file_id: other })
    const before = await recipes()
    await send('PUT', `/products/${kit.id}/kit`, again(kit, { quantity_per_kit: 3 }))
    expect(await recipes()).toEqual(before)
    expect(before['DESK-LAMP-BASE-RED']).toHaveLength(2)
  })

  test('has the recipe by its new file after a change, with the rank and the notes that it had', async () => {
    const kit = await send('POST', '/products/kit', lamp({ print_file_id: file }))
    const { 'DESK-LAMP-BASE-RED': [red] = [], 'DESK-LAMP-BASE-BLUE': [blue] = [] } = await recipes()
    const extra = await addSku(account)
    await send('PATCH', `/recipes/${red?.id}`, {
      rank: 2,
      notes: 'Brim',
      also_makes: [{ product_sku_id: extra.id, units: 1 }],
    })
    const next = await addFile({ object_count: 7 })
    await send('POST', '/recipes', { product_sku_id: blue?.product_sku_id, print_file_id: next, units_per_plate: 5 })
    const changed = await send('PUT', `/products/${kit.id}/kit`, again(kit, { print_file_id: next }))
    const now = await recipes()
    expect(now['DESK-LAMP-BASE-RED']).toMatchObject([
      { id: red?.id, print_file_id: next, units_per_plate: 7, rank: 2, notes: 'Brim', also_makes: [] },
    ])
    // The one that a person made by that file stands for it.
    expect(now['DESK-LAMP-BASE-BLUE']).toMatchObject([{ print_file_id: next, units_per_plate: 5 }])
    await send('PUT', `/products/${kit.id}/kit`, again(changed, { print_file_id: null }, { print_file_id: next }))
    expect(Object.keys(await recipes())).toEqual(['DESK-LAMP-HOLDER-WHITE'])
  })

  test('has none by a file that is not sliced, or is sliced for other filament', async () => {
    const model = await addFile({ is_sliced: false })
    const petg = await addFile({ filament_type: 'PETG' })
    await send('POST', '/products/kit', lamp({ print_file_id: model }, { print_file_id: petg }))
    expect(await recipes()).toEqual({})
    expect((await get('/products')).map(({ name }: { name: string }) => name)).toEqual(['Desk lamp'])
  })

  test('goes with its recipes where nothing is recorded of it, and stays with them where something is', async () => {
    const kit = await send('POST', '/products/kit', lamp({ print_file_id: file }))
    const { 'DESK-LAMP-BASE-RED': [red] = [] } = await recipes()
    const job = await send('POST', '/jobs', { product_sku_id: red?.product_sku_id, number_of_units: 1 })
    await send('POST', `/jobs/${job.id}/cancel`)
    const body = again(kit, {})
    await send('PUT', `/products/${kit.id}/kit`, { ...body, parts: [body.parts[1]] })
    expect(Object.keys(await recipes())).toEqual(['DESK-LAMP-BASE-RED'])
    expect((await send('DELETE', `/products/${kit.id}`)).deleted).toBe(false)
    const other = await send('POST', '/products/kit', { ...lamp({ print_file_id: file }), name: 'Shelf' })
    expect((await send('DELETE', `/products/${other.id}`)).deleted).toBe(true)
    const [{ deleted }] = (await t.db.sql`
      select count(*)::int as deleted from events where account_id = ${account.id} and type = 'recipe.deleted'`) as [
      { deleted: number },
    ]
    expect(deleted).toBe(3)
  })
})

test('printed pieces of a part go to assembly only if the part says so, though the kit is assembled', async () => {
  const other = await addFile()
  await send('POST', '/products/kit', lamp({ print_file_id: file }, { print_file_id: other, requires_assembly: true }))
  const { 'DESK-LAMP-BASE-RED': [base] = [], 'DESK-LAMP-HOLDER-WHITE': [holder] = [] } = await recipes()
  for (const [recipe, expected] of [
    [base, false],
    [holder, true],
  ] as const) {
    const { id } = await send('POST', '/jobs', { product_sku_id: recipe?.product_sku_id, number_of_units: 1 })
    expect(await get(`/jobs/${id}/plan`)).toMatchObject({ outputs: [{ requires_assembly: expected }] })
  }
})
