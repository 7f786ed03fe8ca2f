import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../test/app/test-app.ts'
import { addTestFile, readSlicedFile } from '../test/farm/sliced-file.ts'
import { addProduct, addSku } from '../test/farm/test-catalogue.ts'
import { createTestFarm, type TestFarm } from '../test/farm/test-farm.ts'
import {
  astral,
  dataOf,
  errorOf,
  expectForm,
  expectRefused,
  jobDetailForm,
  keepsCommonPromises,
} from './expectations.ts'

let t: TestApp
let farm: TestFarm
let other: TestFarm
beforeAll(async () => {
  t = await createTestApp()
  farm = await createTestFarm(t)
  other = await createTestFarm(t)
})
afterAll(async () => {
  await farm.hub.close()
  await other.hub.close()
  await t.close()
})

const enqueue = (body: unknown) => farm.account.request('POST', '/jobs', body)
const enqueued = async (fields: object = {}) => dataOf(await enqueue({ print_file_id: farm.fileId, ...fields }), 201)
const countJobs = async () => {
  const [row] = await t.db.sql`select count(*)::int as jobs from jobs where account_id = ${farm.account.id}`
  return row?.jobs
}
const addPrinter = async (name: string, model: string): Promise<string> =>
  (await farm.account.request('POST', '/printers', { name, model, connection_type: 'virtual' })).json().data.id

keepsCommonPromises({ method: 'POST', path: '/jobs', scope: 'write', body: { print_file_id: 'unknown' } }, () => ({
  t,
  account: farm.account,
}))

describe('201', () => {
  test('a queued job in the detail projection, with exactly its fields; what no one knows is null', async () => {
    const job = await enqueued()
    expectForm(job, jobDetailForm)
    expect(job).toMatchObject({
      status: 'queued',
      printer_id: null,
      product_id: null,
      product_sku_id: null,
      product_name: null,
      number_of_units: 1,
      progress_percentage: null,
      actual_print_time_minutes: null,
      failure_reason: null,
      time_started: null,
      time_completed: null,
      printer_name: null,
      printer_model: null,
      sku_name: null,
    })
    expect(job.time_submitted).toBe(job.created_at)
    expect(dataOf(await farm.account.request('GET', `/jobs/${job.id}`))).toEqual(job)
  })

  test('file_name, colour, filament, minutes rounded up and grams come from the file', async () => {
    expect(await enqueued()).toMatchObject({
      file_name: 'clip',
      color: '#112233',
      filament_type: 'PETG',
      material_type: 'PETG',
      estimated_print_time_minutes: 11,
      filament_needed_grams: 12.35,
    })
  })

  test('the job needs ⌈units ÷ units per print⌉ plates: minutes and grams are those of all of them', async () => {
    expect(await enqueued({ number_of_units: 5, quantity_per_print: 2 })).toMatchObject({
      number_of_units: 5,
      estimated_print_time_minutes: 31,
      filament_needed_grams: 37.04,
    })
    expect(await enqueued({ number_of_units: 4, quantity_per_print: 4 })).toMatchObject({
      estimated_print_time_minutes: 11,
    })
  })

  test('a given printer is assigned, with its name and model', async () => {
    expect(await enqueued({ printer_id: farm.printerId })).toMatchObject({
      printer_id: farm.printerId,
      printer_name: 'Printer',
      printer_model: 'MK4S',
    })
  })

  test('the SKU gives product, colour, filament and its name; what the caller says goes before it', async () => {
    const product = await addProduct(farm.account, { name: 'Lamp' })
    const sku = await addSku(farm.account, { product_id: product.id, color: 'Red', filament_type: 'ASA' })
    expect(await enqueued({ product_sku_id: sku.id })).toMatchObject({
      product_sku_id: sku.id,
      product_id: product.id,
      product_name: 'Lamp',
      sku_name: 'Red ASA',
      color: 'Red',
      filament_type: 'ASA',
      material_type: 'PETG',
    })
    const said = { color: 'Blue', filament_type: 'PLA', material_type: 'Silk' }
    expect(await enqueued({ product_sku_id: sku.id, ...said })).toMatchObject(said)
    const shade = await addProduct(farm.account, { name: 'Shade' })
    expect(await enqueued({ product_id: shade.id })).toMatchObject({ product_id: shade.id, product_name: 'Shade' })
  })

  test('a file that says nothing of itself: PLA, empty texts and null figures; it fits any printer', async () => {
    const { id } = await addTestFile(t, farm.account, await readSlicedFile(), { name: 'silent' })
    await t.db.sql`
      update print_file_versions
      set printer_model = null, filament_type = null, filament_color = null, print_time_seconds = null,
          filament_weight_grams = null
      where account_id = ${farm.account.id} and print_file_id = ${id}`
    const printerId = await addPrinter('Any', 'MINI')
    expect(await enqueued({ print_file_id: id, printer_id: printerId })).toMatchObject({
      file_name: 'silent',
      color: '',
      filament_type: '',
      material_type: 'PLA',
      estimated_print_time_minutes: null,
      filament_needed_grams: null,
      printer_id: printerId,
    })
  })

  test.each<[field: string, value: string, kept: unknown]>([
    ['color', '""', ''],
    ['color', JSON.stringify(astral(50)), astral(50)],
    ['filament_type', JSON.stringify(astral(50)), astral(50)],
    ['material_type', JSON.stringify(astral(50)), astral(50)],
    ['number_of_units', '1', 1],
    ['number_of_units', '1e1', 10],
    ['number_of_units', '2.0', 2],
  ])('%s: %s is taken', async (field, value, kept) => {
    const answer = await enqueue(`{"print_file_id":"${farm.fileId}","${field}":${value}}`)
    expect(dataOf(answer, 201)[field]).toBe(kept)
  })

  test('requires_assembly and quantity_per_print are taken and not shown, unknown fields and parameters ignored', async () => {
    const answer = await farm.account.request('POST', '/jobs?status=failed&limit=x', {
      print_file_id: farm.fileId,
      quantity_per_print: 1,
      requires_assembly: true,
      id: 'mine',
      status: 'completed',
      created_at: '2020-01-01T00:00:00.000Z',
      cost: { cents: 5 },
    })
    const job = dataOf(answer, 201)
    expectForm(job, jobDetailForm)
    expect(job).toMatchObject({ status: 'queued' })
    expect(job.id).not.toBe('mine')
  })
})

describe('400 VALIDATION_ERROR', () => {
  test.each<[field: string, value: unknown]>([
    ['print_file_id', undefined],
    ['print_file_id', null],
    ['print_file_id', ''],
    ['print_file_id', 5],
    ['print_file_id', ['x']],
    ...['printer_id', 'product_id', 'product_sku_id'].flatMap((field): [string, unknown][] => [
      [field, null],
      [field, 5],
    ]),
    ...['color', 'filament_type', 'material_type'].flatMap((field): [string, unknown][] => [
      [field, null],
      [field, 5],
      [field, 'x'.repeat(51)],
      [field, astral(51)],
    ]),
    ...['number_of_units', 'quantity_per_print'].flatMap((field): [string, unknown][] => [
      [field, null],
      [field, '5'],
      [field, 0],
      [field, -1],
      [field, 1.5],
      [field, true],
    ]),
    ['requires_assembly', null],
    ['requires_assembly', 'true'],
    ['requires_assembly', 1],
    ['color', 'a\0b'],
    ['color', '\ud800'],
  ])('%s: %j is refused under its name, before anything is looked up', async (field, value) => {
    const before = await countJobs()
    expectRefused(await enqueue({ print_file_id: 'unknown', printer_id: 'unknown', [field]: value }), field)
    expect(await countJobs()).toBe(before)
  })

  test('more units than can be printed in any time that a number tells', async () => {
    const { id } = await addTestFile(t, farm.account, await readSlicedFile())
    await t.db.sql`
      update print_file_versions set print_time_seconds = 604800
      where account_id = ${farm.account.id} and print_file_id = ${id}`
    expectRefused(await enqueue({ print_file_id: id, number_of_units: 1_000_000 }), 'number_of_units')
  })

  test('every wrong field is named at once', async () => {
    expectRefused(await enqueue({ color: 1, number_of_units: 0 }), 'print_file_id', 'color', 'number_of_units')
  })

  test.each([
    ['no body', undefined],
    ['an empty body', ''],
    ['a list', []],
    ['null', 'null'],
    ['a text', '"x"'],
    ['half a body', '{"a"'],
  ])('%s is refused as a whole', async (_, body) => {
    expectRefused(await enqueue(body), '_root')
  })
})

describe('what is looked up', () => {
  test('404 in the order file, printer, product, SKU; then 400 PRINTER_MODEL_MISMATCH; nothing is made', async () => {
    const before = await countJobs()
    const unknown = { print_file_id: 'x', printer_id: 'x', product_id: 'x', product_sku_id: 'x' }
    const printerId = await addPrinter('Mini', 'MINI')
    const product = await addProduct(farm.account)
    errorOf(await enqueue(unknown), 404, 'FILE_NOT_FOUND')
    const withFile = { ...unknown, print_file_id: farm.fileId }
    errorOf(await enqueue(withFile), 404, 'PRINTER_NOT_FOUND')
    const withPrinter = { ...withFile, printer_id: printerId }
    errorOf(await enqueue(withPrinter), 404, 'PRODUCT_NOT_FOUND')
    const withProduct = { ...withPrinter, product_id: product.id }
    errorOf(await enqueue(withProduct), 404, 'SKU_NOT_FOUND')
    const { id } = await addSku(farm.account)
    errorOf(await enqueue({ ...withProduct, product_sku_id: id }), 400, 'PRINTER_MODEL_MISMATCH')
    expect(await countJobs()).toBe(before)
  })

  test.each(['printer_id', 'product_id', 'product_sku_id'])('an empty %s names nothing', async (field) => {
    const code = { printer_id: 'PRINTER', product_id: 'PRODUCT', product_sku_id: 'SKU' }[field]
    errorOf(await enqueue({ print_file_id: farm.fileId, [field]: '' }), 404, `${code}_NOT_FOUND`)
  })

  test("another account's file, printer, product and SKU do not exist here", async () => {
    const product = await addProduct(other.account)
    const sku = await addSku(other.account)
    for (const [field, id, code] of [
      ['print_file_id', other.fileId, 'FILE_NOT_FOUND'],
      ['printer_id', other.printerId, 'PRINTER_NOT_FOUND'],
      ['product_id', product.id, 'PRODUCT_NOT_FOUND'],
      ['product_sku_id', sku.id, 'SKU_NOT_FOUND'],
    ]) {
      const foreign = await enqueue({ print_file_id: farm.fileId, [field as string]: id })
      errorOf(foreign, 404, code as string)
      const unknown = await enqueue({ print_file_id: farm.fileId, [field as string]: 'unknown' })
      expect(foreign.body).toBe(unknown.body)
    }
  })
})
