import { describe, expect, test } from 'vitest'
import { accountForEachTest } from '../../test/app/app-hooks.ts'
import { createTestFarm, type TestFarm } from '../../test/farm/test-farm.ts'
import { kindWords, materialKinds } from './material-kinds.ts'

const { t, account: farm } = accountForEachTest()

const spool = { type: 'PETG', color: 'Black', hex_code: '#aabbcc', remaining_grams: 1_000, spool_weight_grams: 1_000 }

async function send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, account = farm) {
  const answer = await account.request(method, path, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}
async function refused(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, account = farm) {
  const answer = await account.request(method, path, body)
  return [answer.statusCode, answer.json().error?.code, answer.json().error?.details]
}
async function movementsOf(
  path: string,
  account = farm,
): Promise<{ reason: string; change: number; shortage: number }[]> {
  const movements = await send('GET', `${path}/movements`, undefined, account)
  return movements.map(({ reason, change, shortage }: Record<string, unknown>) => ({ reason, change, shortage }))
}

describe.each(materialKinds)('%s', (kind) => {
  const { remainingField } = kindWords[kind]
  const smallest = kind === 'filament' ? { type: 'PLA' } : { name: 'Thing' }
  const add = (fields: object = {}) => send('POST', `/materials/${kind}`, { ...smallest, ...fields })

  test('201: a new one is out of stock until something is there', async () => {
    expect(await add()).toMatchObject({ ...smallest, [remainingField]: 0, low_threshold: 0, status: 'out_of_stock' })
    expect(await add({ [remainingField]: 5, low_threshold: 5 })).toMatchObject({ [remainingField]: 5, status: 'low' })
  })

  test('consuming and restocking move the quantity, and the movements always sum to it', async () => {
    const { id } = await add({ [remainingField]: 10, low_threshold: 4 })
    const path = `/materials/${kind}/${id}`
    expect(await send('POST', `${path}/consume`, { quantity: 7 })).toMatchObject({ [remainingField]: 3, status: 'low' })
    expect(await send('POST', `${path}/restock`, { quantity: 9 })).toMatchObject({
      [remainingField]: 12,
      status: 'in_stock',
    })
    expect(await send('PATCH', path, { [remainingField]: 2 })).toMatchObject({ [remainingField]: 2 })
    const movements = await movementsOf(path)
    expect(movements.map(({ reason, change }) => [reason, change])).toEqual([
      ['correction', -10],
      ['restocked', 9],
      ['consumed', -7],
      ['added', 10],
    ])
    expect(movements.reduce((sum, { change }) => sum + change, 0)).toBe(2)
  })

  test('400: no more is taken than there is, and nothing is booked then', async () => {
    const { id } = await add({ [remainingField]: 3 })
    const path = `/materials/${kind}/${id}`
    expect(await refused('POST', `${path}/consume`, { quantity: 4 })).toEqual([
      400,
      'INSUFFICIENT_QUANTITY',
      { available: 3 },
    ])
    expect(await movementsOf(path)).toHaveLength(1)
  })

  test('many who take at once never take more than there is', async () => {
    const { id } = await add({ [remainingField]: 5 })
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => farm.request('POST', `/materials/${kind}/${id}/consume`, { quantity: 1 })),
    )
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(5)
    expect(await send('GET', `/materials/${kind}/${id}`)).toMatchObject({ [remainingField]: 0, status: 'out_of_stock' })
  })

  test('a list holds its own kind, the newest first, and filters by status', async () => {
    const first = await add({ [remainingField]: 5 })
    const second = await add()
    const ids = async (query = '') =>
      (await send('GET', `/materials/${kind}${query}`)).map((material: { id: string }) => material.id)
    expect(await ids()).toEqual([second.id, first.id])
    expect(await ids('?status=in_stock')).toEqual([first.id])
    const other = kind === 'parts' ? 'packaging' : 'parts'
    expect(await send('GET', `/materials/${other}`)).toEqual([])
    expect((await refused('GET', `/materials/${other}/${first.id}`)).slice(0, 2)).toEqual([404, 'NOT_FOUND'])
  })

  test('a deleted one is gone', async () => {
    const { id } = await add({ [remainingField]: 5 })
    await send('DELETE', `/materials/${kind}/${id}`)
    expect((await refused('GET', `/materials/${kind}/${id}`)).slice(0, 2)).toEqual([404, 'NOT_FOUND'])
  })

  test.each([
    [{ ...smallest, low_threshold: -1 }, 'low_threshold'],
    [{ ...smallest, brand: 5 }, 'brand'],
  ])('400: %j names the wrong field', async (body, field) => {
    const [status, code, details] = await refused('POST', `/materials/${kind}`, body)
    expect([status, code, Object.keys(details)]).toEqual([400, 'VALIDATION_ERROR', [field]])
  })
})

test('grams are exact to a thousandth, however often they are moved', async () => {
  const { id } = await send('POST', '/materials/filament', { type: 'PLA', remaining_grams: 0.3 })
  for (let times = 0; times < 3; times++) await send('POST', `/materials/filament/${id}/consume`, { quantity: 0.1 })
  expect(await send('GET', `/materials/filament/${id}`)).toMatchObject({ remaining_grams: 0, status: 'out_of_stock' })
})

describe('checking the availability of components', () => {
  const check = (items: object[]) => send('POST', '/materials/components/check-availability', { items })

  test('says what is missing of each, and counts one that is named twice twice', async () => {
    const screw = await send('POST', '/materials/components', { name: 'Screw', remaining_units: 5 })
    const magnet = await send('POST', '/materials/components', { name: 'Magnet', remaining_units: 1 })
    expect(await check([{ id: screw.id, quantity: 5 }])).toMatchObject({ available: true })
    const answer = await check([
      { id: screw.id, quantity: 4 },
      { id: magnet.id, quantity: 1 },
      { id: screw.id, quantity: 4 },
    ])
    expect(answer).toEqual({
      available: false,
      has_shortage: true,
      components: [],
      items: [
        { id: screw.id, name: 'Screw', needed: 8, remaining: 5, shortage: 3 },
        { id: magnet.id, name: 'Magnet', needed: 1, remaining: 1, shortage: 0 },
      ],
    })
  })

  test("400: another account's component is one that does not exist", async () => {
    const { id } = await send('POST', '/materials/components', { name: 'Screw', remaining_units: 5 })
    const stranger = await t.account({ name: 'Stranger' })
    const body = { items: [{ id, quantity: 1 }] }
    const [status, code, details] = await refused('POST', '/materials/components/check-availability', body, stranger)
    expect([status, code, Object.keys(details)]).toEqual([400, 'VALIDATION_ERROR', ['items.0.id']])
  })
})

describe('a spool on a printer', () => {
  async function addPrinter(name = 'Printer', account = farm): Promise<string> {
    return (await send('POST', '/printers', { name, model: 'MK4S', connection_type: 'virtual' }, account)).id
  }
  const load = (id: string, body: object) => send('PATCH', `/materials/filament/${id}`, body)
  const filamentOf = async (printerId: string) => {
    const { current_filament_type, current_color, current_color_hex, filament_level } = await send(
      'GET',
      `/printers/${printerId}`,
    )
    return [current_filament_type, current_color, current_color_hex, filament_level]
  }

  test('shows its type, colour and level there, and no more when it is taken off', async () => {
    const printerId = await addPrinter()
    const { id } = await send('POST', '/materials/filament', { ...spool, remaining_grams: 250 })
    expect(await load(id, { printer_id: printerId })).toMatchObject({ printer_id: printerId, slot: 0 })
    expect(await filamentOf(printerId)).toEqual(['PETG', 'Black', '#AABBCC', 25])
    await send('POST', `/materials/filament/${id}/consume`, { quantity: 50 })
    expect(await filamentOf(printerId)).toEqual(['PETG', 'Black', '#AABBCC', 20])
    expect((await refused('DELETE', `/materials/filament/${id}`)).slice(0, 2)).toEqual([409, 'RESOURCE_IN_USE'])
    expect(await load(id, { printer_id: null })).toMatchObject({ printer_id: null, slot: null })
    expect(await filamentOf(printerId)).toEqual(['', '', '', null])
  })

  test('takes the place of the one in its slot; another slot has a spool of its own', async () => {
    const printerId = await addPrinter()
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => send('POST', '/materials/filament', spool)))
    await load(first.id, { printer_id: printerId })
    await load(second.id, { printer_id: printerId, slot: 1 })
    await load(third.id, { printer_id: printerId, slot: 0 })
    const loaded = await send('GET', `/materials/filament?printer_id=${printerId}`)
    expect(loaded.map(({ id, slot }: Record<string, unknown>) => [id, slot]).sort()).toEqual(
      [
        [second.id, 1],
        [third.id, 0],
      ].sort(),
    )
    expect(await send('GET', `/materials/filament/${first.id}`)).toMatchObject({ printer_id: null })
  })

  test('can be swapped between two printers by two people at once', async () => {
    const printerIds = [await addPrinter('A'), await addPrinter('B')]
    const spools = await Promise.all([1, 2].map(() => send('POST', '/materials/filament', spool)))
    for (let round = 0; round < 5; round++) {
      await Promise.all(spools.map(({ id }, index) => load(id, { printer_id: printerIds[(index + round) % 2] })))
      const loaded = await send('GET', '/materials/filament')
      const places = loaded.flatMap((each: { printer_id: string | null }) => each.printer_id ?? [])
      expect(new Set(places).size).toBe(places.length)
    }
  })

  test("404: another account's printer is one that does not exist, and nothing changes", async () => {
    const stranger = await t.account({ name: 'Stranger' })
    const printerId = await addPrinter('Theirs', stranger)
    const { id } = await send('POST', '/materials/filament', spool)
    expect((await refused('PATCH', `/materials/filament/${id}`, { printer_id: printerId })).slice(0, 2)).toEqual([
      404,
      'PRINTER_NOT_FOUND',
    ])
    expect((await refused('PATCH', `/materials/filament/${id}`, { slot: 1 })).slice(0, 2)).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
    expect(await send('GET', `/materials/filament/${id}`)).toMatchObject({ printer_id: null })
  })

  test('comes off when its printer is deleted', async () => {
    const printerId = await addPrinter()
    const { id } = await send('POST', '/materials/filament', spool)
    await load(id, { printer_id: printerId })
    await send('DELETE', `/printers/${printerId}`)
    expect(await send('GET', `/materials/filament/${id}`)).toMatchObject({ printer_id: null, slot: null })
  })
})

describe('a print that ends', () => {
  async function loadedFarm(grams: number): Promise<{ live: TestFarm; path: string; grams(): Promise<number> }> {
    const live = await createTestFarm(t)
    const body = { ...spool, hex_code: '#112233', remaining_grams: grams }
    const { id } = await send('POST', '/materials/filament', body, live.account)
    const path = `/materials/filament/${id}`
    await send('PATCH', path, { printer_id: live.printerId }, live.account)
    return { live, path, grams: async () => (await send('GET', path, undefined, live.account)).remaining_grams }
  }

  test('takes what its plate needs from the loaded spool, once', async () => {
    const { live, path, grams } = await loadedFarm(100)
    const attempt = await live.print(await live.queueJob())
    await live.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    await live.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    expect(await grams()).toBe(87.655)
    expect(await movementsOf(path, live.account)).toEqual([
      { reason: 'printed', change: -12.345, shortage: 0 },
      { reason: 'added', change: 100, shortage: 0 },
    ])
    expect(await send('GET', `/printers/${live.printerId}`, undefined, live.account)).toMatchObject({
      filament_level: 8.8,
    })
    await live.hub.close()
  })

  test('never leaves less than nothing on the spool: what was used beyond is kept as a shortage', async () => {
    const { live, path, grams } = await loadedFarm(10)
    const attempt = await live.print(await live.queueJob(), { set_aside: ['enough_filament'] })
    await live.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    expect(await grams()).toBe(0)
    expect((await movementsOf(path, live.account))[0]).toEqual({ reason: 'printed', change: -10, shortage: 2.345 })
    await live.hub.close()
  })

  test('early takes its share by the progress that was shown', async () => {
    const { live, grams } = await loadedFarm(100)
    // The printer shows 10 %.
    const attempt = await live.print(await live.queueJob())
    await live.hub.report({ ...attempt, phase: 'finished', outcome: 'failed' })
    expect(await grams()).toBe(100 - 1.235)
    await live.hub.close()
  })

  test('before it began takes nothing', async () => {
    const { live, path } = await loadedFarm(100)
    live.hub.onCommand(() => ({ ok: false, code: 'PRINTER_BUSY', message: 'busy' }))
    const jobId = await live.queueJob()
    expect((await live.account.request('POST', `/jobs/${jobId}/start`)).statusCode).toBe(503)
    expect(await movementsOf(path, live.account)).toHaveLength(1)
    await live.hub.close()
  })
})
