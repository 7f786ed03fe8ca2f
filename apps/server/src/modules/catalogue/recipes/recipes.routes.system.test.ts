import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestAccount, type TestApp } from '../../../test/app/test-app.ts'
import { addProduct, addSku } from '../../../test/farm/test-catalogue.ts'
import { insertFile } from '../../../test/farm/test-fleet.ts'

let t: TestApp
let farm: TestAccount
let sku: { id: string; product_id: string }
let fileId: string
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  farm = await t.account()
  sku = await addSku(farm, { color: 'Red', filament_type: 'PETG' })
  fileId = await insertFile(t, farm.id, { printer_model: 'MK4S', filament_type: 'PETG', object_count: 6 })
})

const post = (body: object, account = farm) => account.request('POST', '/recipes', body)
async function addRecipe(fields: object = {}) {
  const answer = await post({ product_sku_id: sku.id, print_file_id: fileId, ...fields })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}
const listed = async (query = '', account = farm) => (await account.request('GET', `/recipes${query}`)).json()
const served = async (skuId = sku.id) =>
  (await farm.request('GET', `/skus/${skuId}`)).json().data.recipes.map(({ id }: { id: string }) => id)
const eventsOf = () =>
  t.db.sql`select type, subject_id, data from events where account_id = ${farm.id} and type like 'recipe.%' order by id`

describe('POST /recipes', () => {
  test('adds a recipe of a SKU; what is left out comes from the SKU and the file', async () => {
    const recipe = await addRecipe()
    expect(recipe).toEqual({
      id: expect.stringMatching(/^rcp_/),
      name: 'other',
      product_id: sku.product_id,
      product_sku_id: sku.id,
      print_file_id: fileId,
      file_name: 'other',
      file_deleted: false,
      printer_model: 'MK4S',
      units_per_plate: 6,
      also_makes: [],
      rank: 0,
      is_active: true,
      notes: '',
      created_at: expect.stringMatching(/Z$/),
      updated_at: recipe.created_at,
    })
    expect((await farm.request('GET', `/recipes/${recipe.id}`)).json().data).toEqual(recipe)
    expect(await eventsOf()).toEqual([
      {
        type: 'recipe.created',
        subject_id: recipe.id,
        data: { product_id: sku.product_id, product_sku_id: sku.id, print_file_id: fileId },
      },
    ])
  })

  test('a mixed plate keeps what it also makes, in that order, and leaves that out of the suggested units', async () => {
    const [key, ring] = [await addSku(farm), await addSku(farm)]
    const also_makes = [
      { product_sku_id: ring.id, units: 2 },
      { product_sku_id: key.id, units: 1 },
    ]
    expect(await addRecipe({ also_makes })).toMatchObject({ units_per_plate: 3, also_makes })
  })

  test('a file that names no objects suggests what a person entered of it, else one unit', async () => {
    const plain = await insertFile(t, farm.id)
    expect(await addRecipe({ print_file_id: plain })).toMatchObject({ units_per_plate: 1, printer_model: null })
    const entered = await insertFile(t, farm.id, { object_count: 9 })
    await farm.request('PATCH', `/files/${entered}`, { number_of_units: 4 })
    expect(await addRecipe({ print_file_id: entered })).toMatchObject({ units_per_plate: 4 })
  })

  test('of a whole product it serves every SKU whose filament type the file can print', async () => {
    const { product_id } = sku
    const blue = await addSku(farm, { product_id, color: 'Blue', filament_type: ' petg ' })
    const pla = await addSku(farm, { product_id, filament_type: 'PLA' })
    const plain = await addSku(farm, { product_id })
    const { id } = await addRecipe({ product_sku_id: null, product_id })
    expect([await served(), await served(blue.id), await served(pla.id), await served(plain.id)]).toEqual([
      [id],
      [id],
      [],
      [id],
    ])
    expect((await listed(`?product_sku_id=${blue.id}`)).meta.count).toBe(1)
    expect((await listed(`?product_sku_id=${pla.id}`)).data).toEqual([])
  })

  test.each([
    [{ product_sku_id: undefined }, 'product_id'],
    [{ units_per_plate: 0 }, 'units_per_plate'],
    [{ units_per_plate: -2 }, 'units_per_plate'],
    [{ units_per_plate: 1.5 }, 'units_per_plate'],
    [{ rank: -1 }, 'rank'],
    [{ name: '' }, 'name'],
    [{ also_makes: [{ product_sku_id: 'sku_x', units: 0 }] }, 'also_makes.0.units'],
    [{ also_makes: [{ units: 1 }] }, 'also_makes.0.product_sku_id'],
  ])('refuses %j under its name', async (fields, name) => {
    const answer = await post({ product_sku_id: sku.id, print_file_id: fileId, ...fields })
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json().error.details)).toEqual([name])
    expect((await listed()).data).toEqual([])
  })

  test('refuses a SKU of another product, one named twice, the own one, and one that is not sold', async () => {
    const [other, gone] = [await addSku(farm), await addSku(farm)]
    await farm.request('PATCH', `/skus/${gone.id}`, { is_active: false })
    const foreign = await post({ product_id: other.product_id, product_sku_id: sku.id, print_file_id: fileId })
    expect(foreign.json().error.details).toEqual({ product_sku_id: ['is a SKU of another product'] })
    const mixed = await post({
      product_sku_id: sku.id,
      print_file_id: fileId,
      also_makes: [other, other, sku, gone].map(({ id }) => ({ product_sku_id: id, units: 1 })),
    })
    expect(mixed.json().error.details).toEqual({
      'also_makes.1.product_sku_id': ['is named before'],
      'also_makes.2.product_sku_id': ['is the SKU that the recipe makes: raise units_per_plate instead'],
      'also_makes.3.product_sku_id': ['is a SKU that is not sold'],
    })
    const whole = await post({
      product_id: sku.product_id,
      print_file_id: fileId,
      also_makes: [{ product_sku_id: sku.id, units: 1 }],
    })
    expect(Object.keys(whole.json().error.details)).toEqual(['also_makes.0.product_sku_id'])
    expect((await listed()).data).toEqual([])
  })

  test('names what does not exist, a deleted file and another account among it, and a file that is not sliced', async () => {
    const other = await t.account()
    const foreign = { file: await insertFile(t, other.id), sku: await addSku(other), product: await addProduct(other) }
    const codeOf = async (fields: object) =>
      (await post({ product_sku_id: sku.id, print_file_id: fileId, ...fields })).json().error.code
    expect(await codeOf({ product_id: 'prd_x' })).toBe('PRODUCT_NOT_FOUND')
    expect(await codeOf({ product_id: foreign.product.id })).toBe('PRODUCT_NOT_FOUND')
    expect(await codeOf({ product_sku_id: foreign.sku.id })).toBe('SKU_NOT_FOUND')
    expect(await codeOf({ also_makes: [{ product_sku_id: foreign.sku.id, units: 1 }] })).toBe('SKU_NOT_FOUND')
    expect(await codeOf({ print_file_id: foreign.file })).toBe('FILE_NOT_FOUND')
    expect(await codeOf({ print_file_id: await insertFile(t, farm.id, { is_sliced: false }) })).toBe('FILE_NOT_SLICED')
    const deleted = await insertFile(t, farm.id)
    expect((await farm.request('DELETE', `/files/${deleted}`)).statusCode).toBe(200)
    expect(await codeOf({ print_file_id: deleted })).toBe('FILE_NOT_FOUND')
    expect((await listed()).data).toEqual([])
  })

  test('product, SKU and file go together once, also when 20 ask at the same time', async () => {
    const body = { product_id: sku.product_id, print_file_id: fileId }
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(body)))
    expect(answers.filter((answer) => answer.statusCode === 201)).toHaveLength(1)
    expect(answers.filter((answer) => answer.json().error?.code === 'ALREADY_EXISTS')).toHaveLength(19)
    await addRecipe()
    expect((await listed()).meta.count).toBe(2)
  })
})

test('GET /recipes lists the newest first, by product, SKU, file and use', async () => {
  const second = await insertFile(t, farm.id, { printer_model: 'P1S' })
  const one = await addRecipe()
  const two = await addRecipe({ print_file_id: second, is_active: false })
  const other = await addRecipe({ product_sku_id: (await addSku(farm)).id })
  expect(await listed()).toEqual({
    success: true,
    data: [other, two, one],
    meta: { limit: 50, offset: 0, count: 3, next_cursor: null },
  })
  expect((await listed(`?product_id=${sku.product_id}`)).data).toEqual([two, one])
  expect((await listed(`?product_sku_id=${sku.id}`)).data).toEqual([two, one])
  expect((await listed(`?print_file_id=${second}`)).data).toEqual([two])
  expect((await listed(`?product_sku_id=${sku.id}&is_active=true`)).data).toEqual([one])
  expect((await listed('?limit=1&offset=1')).data).toEqual([two])
  expect((await listed('', await t.account())).data).toEqual([])
})

test('a SKU shows the recipes in use that serve it, by rank and then by age', async () => {
  const files = await Promise.all([1, 2, 3].map(() => insertFile(t, farm.id)))
  const first = await addRecipe({ print_file_id: files[0], rank: 5 })
  const best = await addRecipe({ print_file_id: files[1], rank: 1 })
  const later = await addRecipe({ print_file_id: files[2], rank: 5 })
  await addRecipe({ is_active: false })
  expect(await served()).toEqual([best.id, first.id, later.id])
})

describe('PATCH /recipes/{id}', () => {
  test('changes what is given and leaves the rest', async () => {
    const ring = await addSku(farm)
    const recipe = await addRecipe()
    const changes = { rank: 3, notes: 'slow', also_makes: [{ product_sku_id: ring.id, units: 2 }] }
    const answer = await farm.request('PATCH', `/recipes/${recipe.id}`, changes)
    expect(answer.json().data).toEqual({ ...recipe, ...changes, updated_at: expect.any(String) })
    expect((await eventsOf()).at(-1)).toEqual({
      type: 'recipe.updated',
      subject_id: recipe.id,
      data: { fields: ['rank', 'notes', 'also_makes'] },
    })
    const again = await farm.request('PATCH', `/recipes/${recipe.id}`, changes)
    expect(again.json().data).toEqual(answer.json().data)
    expect(await eventsOf()).toHaveLength(2)
  })

  test('refuses what a new recipe is refused for, and changes nothing then', async () => {
    const recipe = await addRecipe()
    const codeOf = async (changes: object) =>
      (await farm.request('PATCH', `/recipes/${recipe.id}`, changes)).json().error.code
    expect(await codeOf({})).toBe('VALIDATION_ERROR')
    expect(await codeOf({ rank: 1, product_sku_id: (await addSku(farm)).id })).toBe('VALIDATION_ERROR')
    expect(await codeOf({ rank: 1, print_file_id: 'fil_x' })).toBe('FILE_NOT_FOUND')
    const taken = await insertFile(t, farm.id)
    await addRecipe({ print_file_id: taken })
    expect(await codeOf({ rank: 1, print_file_id: taken })).toBe('ALREADY_EXISTS')
    expect((await farm.request('GET', `/recipes/${recipe.id}`)).json().data).toEqual(recipe)
  })

  test('a recipe out of use whose file is gone can be changed, but not used again', async () => {
    const recipe = await addRecipe()
    const refused = await farm.request('DELETE', `/files/${fileId}`)
    expect(refused.statusCode).toBe(409)
    expect(refused.json().error.message).toBe('The file is still needed: a recipe that is in use prints it.')
    await farm.request('PATCH', `/recipes/${recipe.id}`, { is_active: false })
    expect((await farm.request('DELETE', `/files/${fileId}`)).statusCode).toBe(200)
    const change = (changes: object) => farm.request('PATCH', `/recipes/${recipe.id}`, changes)
    expect((await change({ notes: 'kept' })).json().data).toMatchObject({ file_deleted: true, notes: 'kept' })
    expect((await change({ is_active: true })).json().error.code).toBe('FILE_NOT_FOUND')
    const other = await insertFile(t, farm.id)
    expect((await change({ is_active: true, print_file_id: other })).json().data.file_deleted).toBe(false)
    expect(await served()).toEqual([recipe.id])
  })
})

test('DELETE /recipes/{id} takes it from the list, once', async () => {
  const recipe = await addRecipe({ also_makes: [{ product_sku_id: (await addSku(farm)).id, units: 1 }] })
  const answer = await farm.request('DELETE', `/recipes/${recipe.id}`)
  expect(answer.json()).toEqual({ success: true, data: { id: recipe.id, deleted: true } })
  expect((await listed()).data).toEqual([])
  expect((await farm.request('DELETE', `/recipes/${recipe.id}`)).json().error.code).toBe('NOT_FOUND')
  expect((await eventsOf()).map((event) => event.type)).toEqual(['recipe.created', 'recipe.deleted'])
})

const routes = [
  ['GET', undefined],
  ['PATCH', { notes: 'stolen' }],
  ['DELETE', undefined],
] as const
test.each(routes)('%s answers the same for the recipe of another account as for none', async (method, body) => {
  const recipe = await addRecipe()
  const other = await t.account()
  const foreign = await other.request(method, `/recipes/${recipe.id}`, body)
  const unknown = await other.request(method, '/recipes/rcp_unknown', body)
  expect(foreign.statusCode).toBe(404)
  expect(foreign.body).toBe(unknown.body)
  expect((await listed()).data).toEqual([recipe])
})

test.each([
  ['POST', '/recipes', 'write'],
  ['GET', '/recipes', 'read'],
  ['GET', '/recipes/rcp_1', 'read'],
  ['PATCH', '/recipes/rcp_1', 'write'],
  ['DELETE', '/recipes/rcp_1', 'write'],
] as const)('%s %s needs a key of its scope', async (method, path, scope) => {
  const body = method === 'POST' || method === 'PATCH' ? { print_file_id: 'x', notes: 'x' } : undefined
  const keyless = await t.app.inject({ method, url: `/public/v1${path}`, ...(body && { payload: body }) })
  expect(keyless.json().error.code).toBe('UNAUTHORIZED')
  const others = (['read', 'write', 'control'] as const).filter((each) => each !== scope)
  const answer = await (await t.account({ scopes: others })).request(method, path, body)
  expect(answer.json().error.code).toBe('INSUFFICIENT_SCOPE')
})
