import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { jobDetailForm } from '../../../contract/expectations.ts'
import type { PrinterId } from '../../../kernel/ids.ts'
import { createTestApp, type TestApp } from '../../../test/app/test-app.ts'
import { setRejectsAgain } from '../../../test/farm/rejects-again.ts'
import { addProduct, addSku, itemOf } from '../../../test/farm/test-catalogue.ts'
import { createTestFarm, type TestFarm } from '../../../test/farm/test-farm.ts'
import { fleetOf, insertFile, type TestFleet } from '../../../test/farm/test-fleet.ts'

let t: TestApp
let farm: TestFarm
let fleet: TestFleet
let sku: { id: string; sku: string; product_id: string }
/** Sliced for the MK4S, four units a plate, preferred; and for the P1S, two units a plate. */
let files: { mk4s: string; p1s: string }
let recipes: { mk4s: string; p1s: string }
beforeAll(async () => {
  t = await createTestApp({ context: { timeouts: { commandMs: 10_000, startMs: 10_000 } } })
})
afterAll(() => t.close())
beforeEach(async () => {
  farm = await createTestFarm(t)
  fleet = fleetOf(t, farm)
  sku = await addSku(farm.account, { color: 'Black', filament_type: 'PETG' })
  const facts = { filament_type: 'PETG', filament_weight_grams: 10 }
  files = {
    mk4s: await insertFile(t, farm.account.id, { ...facts, printer_model: 'MK4S', print_time_seconds: 600 }),
    p1s: await insertFile(t, farm.account.id, { ...facts, printer_model: 'P1S', print_time_seconds: 300 }),
  }
  recipes = {
    mk4s: (await addRecipe({ print_file_id: files.mk4s, units_per_plate: 4, rank: 1 })).id,
    p1s: (await addRecipe({ print_file_id: files.p1s, units_per_plate: 2, rank: 2 })).id,
  }
})
afterEach(() => farm.hub.close())

const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  farm.account.request(method, path, body)
const dataOf = async (answer: ReturnType<typeof ask>) => {
  const { statusCode, body } = await answer
  expect(statusCode, body).toBeLessThan(300)
  return JSON.parse(body).data
}
const addRecipe = (fields: object) => dataOf(ask('POST', '/recipes', { product_sku_id: sku.id, ...fields }))
const enqueue = (fields: object = {}) => ask('POST', '/jobs', { product_sku_id: sku.id, ...fields })
const enqueued = (fields: object = {}) => dataOf(enqueue(fields))
const planOf = (jobId: string) => dataOf(ask('GET', `/jobs/${jobId}/plan`))
const stockOf = async (of: { sku: string }) => (await itemOf(farm.account, of)).ready_stock
const filament = { current_filament_type: 'PETG', current_color: 'Black' }

async function printPlate(jobId: string): Promise<string> {
  const start = await fleet.startOf(jobId)
  await fleet.finish(start)
  return start.printerId
}

describe('POST /jobs with a SKU alone', () => {
  test('takes the preferred recipe of the models that the farm has, in as many plates as the units need', async () => {
    const job = await enqueued({ number_of_units: 5 })
    expect(Object.keys(job).sort()).toEqual(Object.keys(jobDetailForm).sort())
    expect(job).toMatchObject({
      status: 'queued',
      printer_id: null,
      product_id: sku.product_id,
      product_sku_id: sku.id,
      number_of_units: 5,
      color: 'Black',
      filament_type: 'PETG',
      estimated_print_time_minutes: 20,
      filament_needed_grams: 20,
    })
    expect(await planOf(job.id)).toMatchObject({
      print_file_id: files.mk4s,
      recipe_id: recipes.mk4s,
      quantity_per_print: 4,
      plates_total: 2,
      outputs: [{ product_sku_id: sku.id, is_main: true, units_per_plate: 4, units: 8, units_credited: 0 }],
      options: [
        { recipe_id: recipes.mk4s, printer_model: 'MK4S', units_per_plate: 4, plates_total: 2, is_taken: true },
        { recipe_id: recipes.p1s, printer_model: 'P1S', units_per_plate: 2, plates_total: 3, is_taken: false },
      ],
    })
  })

  test('a preferred recipe for a model that the farm does not have comes after the others', async () => {
    const xl = await insertFile(t, farm.account.id, { printer_model: 'XL', filament_type: 'PETG' })
    await addRecipe({ print_file_id: xl, units_per_plate: 20, rank: 0 })
    const { options } = await planOf((await enqueued()).id)
    expect(options.map((option: { printer_model: string }) => option.printer_model)).toEqual(['MK4S', 'XL', 'P1S'])
  })

  test('with a printer it is printed by the recipe for its model, and by no other', async () => {
    const printer_id = await fleet.addPrinter('P', { model: 'P1S', auto_start: false })
    const job = await enqueued({ printer_id })
    expect(await planOf(job.id)).toMatchObject({ recipe_id: recipes.p1s, options: [{ recipe_id: recipes.p1s }] })
    const mini = await fleet.addPrinter('M', { model: 'MINI', auto_start: false })
    expect((await enqueue({ printer_id: mini })).json().error.code).toBe('PRINTER_MODEL_MISMATCH')
  })

  test('with a recipe it is printed by that one', async () => {
    const { id } = await enqueued({ recipe_id: recipes.p1s, number_of_units: 3 })
    expect(await planOf(id)).toMatchObject({ recipe_id: recipes.p1s, plates_total: 2, options: [{}] })
    const both = await enqueue({ recipe_id: recipes.p1s, print_file_id: files.p1s })
    expect(both.json().error.details).toEqual({ recipe_id: ['excludes print_file_id'] })
  })

  test('says what is missing: file and SKU, the SKU, or a recipe', async () => {
    const neither = await ask('POST', '/jobs', { number_of_units: 2 })
    expect(neither.json().error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { print_file_id: ['is required, unless product_sku_id is given'] },
    })
    expect((await ask('POST', '/jobs', { product_sku_id: 'sku_x' })).json().error.code).toBe('SKU_NOT_FOUND')
    const bare = await addSku(farm.account)
    expect((await enqueue({ product_sku_id: bare.id })).json().error.code).toBe('NO_RECIPE')
    expect((await enqueue({ recipe_id: 'rcp_x' })).json().error.code).toBe('NO_RECIPE')
    for (const id of Object.values(recipes)) await ask('PATCH', `/recipes/${id}`, { is_active: false })
    expect((await enqueue()).json().error.code).toBe('NO_RECIPE')
  })

  test('a batch queues some by file and some by SKU', async () => {
    const bare = await addSku(farm.account)
    const batch = await dataOf(
      ask('POST', '/jobs/bulk', {
        jobs: [{ print_file_id: files.p1s }, { product_sku_id: sku.id }, { product_sku_id: bare.id }, {}],
      }),
    )
    expect(batch.results.map((each: { error?: { code: string } }) => each.error?.code ?? 'queued')).toEqual([
      'queued',
      'queued',
      'NO_RECIPE',
      'VALIDATION_ERROR',
    ])
  })
})

describe('the printer that takes a job decides how it is made', () => {
  test('a job that prefers another model starts where it fits, and keeps that way for all its plates', async () => {
    const p1s = await fleet.addPrinter('P', { model: 'P1S', ...filament })
    const { id } = await enqueued({ number_of_units: 3 })
    expect(await printPlate(id)).toBe(p1s)
    expect(await planOf(id)).toMatchObject({
      print_file_id: files.p1s,
      recipe_id: recipes.p1s,
      quantity_per_print: 2,
      plates_total: 2,
      plates_done: 1,
      outputs: [{ units_per_plate: 2, units: 4 }],
    })
    expect(await farm.job(id)).toMatchObject({ number_of_units: 3, progress_percentage: 50 })
    // The plate of the P1S is not clear: a printer of the other model must not take the rest.
    await fleet.addPrinter('M', filament)
    const direct = await fleet.queue({ print_file_id: files.mk4s, ...{ filament_type: 'PETG' } })
    await fleet.startOf(direct)
    expect(await farm.job(id)).toMatchObject({ status: 'queued', printer_id: null })
    await fleet.clearPlate(p1s)
    await t.settled(async () => (await fleet.startedJobs()).filter((each) => each === id).length === 2)
    await fleet.finish(await fleet.startOf(id))
    expect(await farm.job(id)).toMatchObject({ status: 'completed', number_of_units: 3 })
    expect(await stockOf(sku)).toBe(4)
  })

  test('what a job printed well before it was cancelled goes into stock, and bad units leave it again', async () => {
    const p1s = await fleet.addPrinter('P', { model: 'P1S', ...filament })
    const { id } = await enqueued({ number_of_units: 6 })
    await printPlate(id)
    expect(await stockOf(sku)).toBe(0)
    await dataOf(ask('POST', `/jobs/${id}/cancel`))
    expect(await stockOf(sku)).toBe(2)
    expect(await planOf(id)).toMatchObject({ plates_done: 1, outputs: [{ units: 6, units_credited: 2 }] })
    // Before the plate is cleared: this one starts nowhere.
    const queued = await enqueued()
    await dataOf(ask('POST', `/jobs/${queued.id}/cancel`))
    expect(await stockOf(sku)).toBe(2)
    await dataOf(ask('POST', `/printers/${p1s}/control`, { action: 'clear_bed', quantity_rejected: 1 }))
    expect(await stockOf(sku)).toBe(1)
  })

  test('more units of a plate may be bad than the job was asked for', async () => {
    const printerId = await fleet.addPrinter('M', { model: 'MK4S', ...filament })
    const { id } = await enqueued({ number_of_units: 1 })
    await printPlate(id)
    expect(await stockOf(sku)).toBe(4)
    const clear = { action: 'clear_bed', quantity_rejected: 3 }
    await dataOf(ask('POST', `/printers/${printerId}/control`, clear))
    expect(await stockOf(sku)).toBe(1)
    expect(await planOf(id)).toMatchObject({ units_rejected: 3, outputs: [{ units: 4, units_rejected: 3 }] })
  })

  describe('a job of which a plate fails after good ones', () => {
    let p1s: PrinterId
    let id: string
    const clear = (rejected = 0) =>
      dataOf(ask('POST', `/printers/${p1s}/control`, { action: 'clear_bed', quantity_rejected: rejected }))

    /** The first plate of three is good, the second one fails. */
    beforeEach(async () => {
      p1s = await fleet.addPrinter('P', { model: 'P1S', ...filament })
      id = (await enqueued({ number_of_units: 6 })).id
      await printPlate(id)
      await clear()
      await t.settled(async () => (await fleet.startedJobs()).filter((each) => each === id).length === 2)
      await fleet.finish(await fleet.startOf(id), 'failed')
      expect(await farm.job(id)).toMatchObject({ status: 'failed' })
    })

    test('has its good plates in stock at once, and the rest alone is credited after a retry', async () => {
      expect(await stockOf(sku)).toBe(2)
      expect(await planOf(id)).toMatchObject({ plates_done: 1, outputs: [{ units: 6, units_credited: 2 }] })
      await dataOf(ask('POST', `/jobs/${id}/retry`))
      expect(await stockOf(sku)).toBe(2)
      for (const plate of [3, 4]) {
        await clear()
        await t.settled(async () => (await fleet.startedJobs()).filter((each) => each === id).length === plate)
        await fleet.finish(await fleet.startOf(id))
      }
      expect(await farm.job(id)).toMatchObject({ status: 'completed' })
      expect(await stockOf(sku)).toBe(6)
    })

    test('is credited once when a person says that all of it is good after all', async () => {
      await dataOf(ask('POST', `/jobs/${id}/complete`))
      expect(await stockOf(sku)).toBe(6)
    })

    test('loses bad units of a plate that is not credited yet just once', async () => {
      await dataOf(ask('POST', `/jobs/${id}/retry`))
      await clear()
      await t.settled(async () => (await fleet.startedJobs()).filter((each) => each === id).length === 3)
      await fleet.finish(await fleet.startOf(id))
      await clear(1)
      expect(await stockOf(sku)).toBe(2)
      await t.settled(async () => (await fleet.startedJobs()).filter((each) => each === id).length === 4)
      await fleet.finish(await fleet.startOf(id))
      expect(await stockOf(sku)).toBe(5)
      await clear(1)
      expect(await stockOf(sku)).toBe(4)
    })

    test('counts in the plan of an order with what is still to come of it', async () => {
      const order = await dataOf(
        ask('POST', '/orders', { items: [{ product_sku_id: sku.id, quantity: 7, unit_price: 1 }] }),
      )
      await dataOf(ask('POST', `/jobs/${id}/retry`))
      const { lines } = await dataOf(ask('GET', `/orders/${order.id}/plan`))
      expect(lines).toMatchObject([{ from_stock: 2, on_live_jobs: 4, to_print: 1 }])
    })
  })

  test('bad units of a good plate that is cleared after a later one failed leave the stock, and come back by the retry', async () => {
    const first = await fleet.addPrinter('P', { model: 'P1S', ...filament })
    const { id } = await enqueued({ number_of_units: 4 })
    await printPlate(id)
    await fleet.addPrinter('Q', { model: 'P1S', ...filament })
    await t.settled(async () => (await fleet.startedJobs()).filter((each) => each === id).length === 2)
    await fleet.finish(await fleet.startOf(id), 'failed')
    expect(await stockOf(sku)).toBe(2)
    await dataOf(ask('POST', `/jobs/${id}/retry`))
    await dataOf(ask('POST', `/printers/${first}/control`, { action: 'clear_bed', quantity_rejected: 1 }))
    expect(await stockOf(sku)).toBe(1)
    await t.settled(async () => (await fleet.startedJobs()).filter((each) => each === id).length === 3)
    await fleet.finish(await fleet.startOf(id))
    expect(await stockOf(sku)).toBe(3)
  })

  test('explain tells of each printer by the way that fits it', async () => {
    const p1s = await fleet.addPrinter('P', { model: 'P1S', auto_start: false, ...filament })
    const { id } = await enqueued()
    const explained = await dataOf(ask('GET', `/jobs/${id}/explain`))
    const verdict = explained.printers.find((each: { printer_id: string }) => each.printer_id === p1s)
    const failing = verdict.rules.filter((rule: { passes: boolean }) => !rule.passes)
    expect(failing.map(({ rule }: { rule: string }) => rule)).toEqual(['auto_start'])
  })

  test('given to a printer of another model, it is made by the recipe for that, with the colour that was asked for', async () => {
    const p1s = await fleet.addPrinter('P', { model: 'P1S', auto_start: false })
    const { id } = await enqueued({ number_of_units: 4 })
    await dataOf(ask('PATCH', `/jobs/${id}`, { color: 'Red' }))
    const assigned = await dataOf(ask('POST', `/jobs/${id}/assign`, { printer_id: p1s }))
    expect(assigned).toMatchObject({ color: 'Red', printer_id: p1s, estimated_print_time_minutes: 10 })
    expect(await planOf(id)).toMatchObject({ recipe_id: recipes.p1s, outputs: [{ units: 4 }] })
    const mini = await fleet.addPrinter('Mini', { model: 'MINI', auto_start: false })
    const refused = await ask('POST', `/jobs/${id}/assign`, { printer_id: mini })
    expect(refused.json().error.code).toBe('PRINTER_MODEL_MISMATCH')
    await dataOf(ask('PATCH', `/jobs/${id}`, { printer_id: farm.printerId }))
    expect(await planOf(id)).toMatchObject({ recipe_id: recipes.mk4s, plates_total: 1 })
  })

  test('a recipe may go, and its file may not while a job could still be printed from it', async () => {
    const { id } = await enqueued()
    await dataOf(ask('DELETE', `/recipes/${recipes.p1s}`))
    expect((await ask('DELETE', `/files/${files.p1s}`)).json().error.code).toBe('RESOURCE_IN_USE')
    const { options } = await planOf(id)
    expect(options).toMatchObject([{ recipe_id: recipes.mk4s }, { recipe_id: null, printer_model: 'P1S' }])
    await dataOf(ask('POST', `/jobs/${id}/cancel`))
    expect((await ask('DELETE', `/files/${files.p1s}`)).statusCode).toBe(200)
    await dataOf(ask('DELETE', `/jobs/${id}`))
    const left = await t.db.sql`
      select
        (select count(*)::int from job_outputs where account_id = ${farm.account.id} and job_id = ${id}) as outputs,
        (select count(*)::int from job_options where account_id = ${farm.account.id} and job_id = ${id}) as options`
    expect(left).toEqual([{ outputs: 0, options: 0 }])
  })
})

describe('what a plate yields', () => {
  let ring: { id: string; sku: string }
  let jobId: string
  beforeEach(async () => {
    const { id: product_id } = await addProduct(farm.account, { requires_assembly: true })
    ring = await addSku(farm.account, { product_id })
    const also_makes = [{ product_sku_id: ring.id, units: 3 }]
    await ask('PATCH', `/recipes/${recipes.mk4s}`, { also_makes })
    jobId = (await enqueued({ number_of_units: 2, printer_id: farm.printerId })).id
  })

  async function printOut(id = jobId): Promise<void> {
    const attempt = await farm.print(id)
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    await fleet.showIdle(farm.printerId)
  }
  const clear = (body: object = {}) =>
    ask('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed', ...body })
  const stocks = async () => [await stockOf(sku), (await itemOf(farm.account, ring)).status]
  const outputs = async (id = jobId) => (await planOf(id)).outputs

  test('is credited for every SKU of a mixed plate once, each as its own product wants it', async () => {
    await printOut()
    expect(await farm.job(jobId)).toMatchObject({ status: 'completed', number_of_units: 2 })
    expect(await stocks()).toEqual([4, 'needs_assembly'])
    expect(await outputs()).toMatchObject([
      { product_sku_id: sku.id, units: 4, units_credited: 4, requires_assembly: false },
      { product_sku_id: ring.id, is_main: false, units: 3, units_credited: 3, requires_assembly: true },
    ])
    const assembly = await dataOf(ask('GET', '/assembly'))
    expect(assembly).toMatchObject([{ product_sku_id: ring.id, quantity: 3 }])
    expect((await ask('POST', `/jobs/${jobId}/complete`)).statusCode).toBe(409)
    expect(await stocks()).toEqual([4, 'needs_assembly'])
  })

  test('is rejected by output and piece, and printed again with the whole plate', async () => {
    await setRejectsAgain(t.db.sql, farm.account.id, true)
    await printOut()
    const rejected = [{ product_sku_id: ring.id, quantity: 2 }]
    expect((await clear({ quantity_rejected: 1, rejected })).statusCode).toBe(200)
    expect(await stockOf(sku)).toBe(3)
    expect((await dataOf(ask('GET', '/assembly')))[0]).toMatchObject({ quantity: 1 })
    expect(await outputs()).toMatchObject([{ units_rejected: 1 }, { units_rejected: 2 }])
    const [reprint] = await dataOf(ask('GET', '/jobs?status=queued'))
    expect(reprint).toMatchObject({ product_sku_id: sku.id, number_of_units: 1 })
    expect(await outputs(reprint.id)).toMatchObject([{ units: 4 }, { product_sku_id: ring.id, units: 3 }])
    const [event] = await t.db.sql`
      select data from events where account_id = ${farm.account.id} and type = 'job.units_rejected'`
    expect(event?.data).toMatchObject({ quantity_rejected: 1, reprint_job_id: reprint.id })
  })

  test.each([
    [{ quantity_rejected: 5 }, { quantity_rejected: ['must be at most 4'] }],
    [{ rejected: [['ring', 4]] }, { 'rejected.0.quantity': ['must be at most 3'] }],
    [{ rejected: [['other', 1]] }, { 'rejected.0.product_sku_id': ['is no SKU that lay on this plate'] }],
    [
      {
        rejected: [
          ['ring', 1],
          ['ring', 1],
        ],
      },
      { 'rejected.1.product_sku_id': ['is given twice'] },
    ],
  ])('more than lay there is refused, and nothing changes: %j', async (body, details) => {
    await printOut()
    const ids: Record<string, string> = { ring: ring.id, other: (await addSku(farm.account)).id }
    const named = 'rejected' in body ? (body.rejected as [string, number][]) : []
    const rejected = named.map(([name, quantity]) => ({ product_sku_id: ids[name], quantity }))
    const answer = await clear({ ...body, ...('rejected' in body && { rejected }) })
    expect(answer.json().error.details).toEqual(details)
    expect(await stocks()).toEqual([4, 'needs_assembly'])
    expect(await outputs()).toMatchObject([{ units_rejected: 0 }, { units_rejected: 0 }])
  })

  test('needs assembly as the product says, unless the job says otherwise', async () => {
    const flag = async (body: object) =>
      (await outputs((await dataOf(ask('POST', '/jobs', { print_file_id: files.mk4s, ...body }))).id))[0]
        .requires_assembly
    expect(await flag({ product_sku_id: ring.id })).toBe(true)
    expect(await flag({ product_sku_id: ring.id, requires_assembly: false })).toBe(false)
    expect(await flag({ product_sku_id: sku.id })).toBe(false)
    expect(await flag({ product_sku_id: sku.id, requires_assembly: true })).toBe(true)
  })
})

test('a job started by hand on a printer that its first way does not fit is printed in the way that does', async () => {
  const wide = await insertFile(t, farm.account.id, {
    printer_model: 'MK4S',
    filament_type: 'PETG',
    nozzle_diameter: 0.8,
  })
  await addRecipe({ print_file_id: wide, units_per_plate: 9, rank: 0 })
  await fleet.change(farm.printerId, { nozzle_size: 0.4 })
  const { id } = await enqueued({ printer_id: farm.printerId, number_of_units: 9 })
  expect(await planOf(id)).toMatchObject({ plates_total: 1, quantity_per_print: 9 })
  await farm.print(id)
  expect(await planOf(id)).toMatchObject({
    recipe_id: recipes.mk4s,
    plates_total: 3,
    outputs: [{ units: 12 }],
  })
  const [attempt] = await t.db.sql`
    select v.print_file_id from attempts a
    join print_file_versions v on v.account_id = a.account_id and v.id = a.file_version_id
    where a.account_id = ${farm.account.id} and a.printer_id = ${farm.printerId as PrinterId}`
  expect(attempt?.print_file_id).toBe(files.mk4s)
})
