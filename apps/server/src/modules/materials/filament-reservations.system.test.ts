import { describe, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { Memory } from '../../kernel/memory.ts'
import { createLive } from '../../live/live.ts'
import { farmForEachTest } from '../../test/app/app-hooks.ts'

const { t, farm } = farmForEachTest()

/** What a plate of the file of a test farm takes. */
const plate = 12.345
const spool = { type: 'PETG', color: 'Black', hex_code: '#112233', remaining_grams: 100 }

async function ask(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) {
  const answer = await farm.account.request(method, path, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}

const addSpool = async (fields: object = {}): Promise<string> =>
  (await ask('POST', '/materials/filament', { ...spool, ...fields })).id

async function loadSpool(fields: object = {}, slot = 0): Promise<string> {
  const id = await addSpool(fields)
  await ask('PATCH', `/materials/filament/${id}`, { printer_id: farm.printerId, slot })
  return id
}

/** What is left on a spool, what of it is reserved, and what is available. */
async function gramsOf(id: string): Promise<number[]> {
  const { remaining_grams, reserved_grams, available_grams } = await ask('GET', `/materials/filament/${id}`)
  return [remaining_grams, reserved_grams, available_grams]
}

/** Starts a job of which the printer shows nothing yet. */
async function start(body?: object) {
  const jobId = await farm.queueJob()
  const sent = farm.hub.commands().length
  await ask('POST', `/jobs/${jobId}/start`, body)
  const command = farm.hub.commands()[sent]
  const attempt = {
    attempt_id: String(command?.args.attempt_id),
    printer_id: farm.printerId,
    fence: command?.fence ?? 0,
  }
  return { jobId, attempt }
}

async function clearPlate(): Promise<void> {
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
  await ask('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed' })
}

async function movementsSum(id: string): Promise<number> {
  const movements = await ask('GET', `/materials/filament/${id}/movements`)
  return movements.reduce((sum: number, { change }: { change: number }) => sum + Math.round(change * 1_000), 0) / 1_000
}

describe('a job that starts', () => {
  test('reserves its grams on the loaded spool, in every answer about it, until its end takes them', async () => {
    const id = await loadSpool()
    expect(await gramsOf(id)).toEqual([100, 0, 100])
    const { attempt } = await start()
    expect(await gramsOf(id)).toEqual([100, plate, 100 - plate])
    const [listed] = await ask('GET', '/materials/filament')
    expect(listed).toMatchObject({ id, reserved_grams: plate, available_grams: 100 - plate })
    expect(await ask('POST', `/materials/filament/${id}/consume`, { quantity: 10 })).toMatchObject({
      remaining_grams: 90,
      reserved_grams: plate,
      filament: { reserved_grams: plate },
    })
    await farm.hub.report({ ...attempt, phase: 'confirmed' })
    expect(await gramsOf(id)).toEqual([90, plate, 77.655])
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    expect(await gramsOf(id)).toEqual([77.655, 0, 77.655])
    expect(await movementsSum(id)).toBe(77.655)
  })

  test('has its reservation released whatever becomes of it, and restarts of the service change none', async () => {
    const id = await loadSpool()
    const ends: [outcome: 'failed' | 'cancelled' | 'not_started', isSeen: boolean][] = [
      ['failed', true],
      ['cancelled', true],
      ['cancelled', false],
      ['not_started', false],
    ]
    for (const [outcome, isSeen] of ends) {
      const { jobId, attempt } = await start()
      if (isSeen) await farm.hub.report({ ...attempt, phase: 'confirmed' })
      const [left = 0, reserved] = await gramsOf(id)
      expect([outcome, reserved]).toEqual([outcome, plate])
      const restarted = await buildApp({ ...t.context, ...createLive(), memory: new Memory() })
      const again = await restarted.inject({
        url: `/public/v1/materials/filament/${id}`,
        headers: { authorization: `Bearer ${farm.account.key}` },
      })
      expect(again.json().data).toMatchObject({ remaining_grams: left, reserved_grams: plate })
      await restarted.close()
      await farm.hub.report({ ...attempt, phase: 'finished', outcome })
      await farm.hub.report({ ...attempt, phase: 'finished', outcome })
      const [after] = await gramsOf(id)
      expect([outcome, ...(await gramsOf(id))]).toEqual([outcome, after, 0, after])
      expect(await movementsSum(id)).toBe(after)
      if (outcome === 'not_started') await ask('POST', `/jobs/${jobId}/cancel`)
      else await clearPlate()
    }
  })

  test('reserves again when a start that was refused is seen running anyway', async () => {
    const id = await loadSpool()
    const { attempt } = await start()
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'not_started' })
    expect(await gramsOf(id)).toEqual([100, 0, 100])
    await farm.hub.report({ ...attempt, phase: 'confirmed' })
    expect(await gramsOf(id)).toEqual([100, plate, 87.655])
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    expect(await gramsOf(id)).toEqual([87.655, 0, 87.655])
  })

  test('takes from the spool that was loaded in the place of the one it reserved on', async () => {
    const first = await loadSpool()
    const { attempt } = await start()
    const second = await loadSpool({ color: 'Black', remaining_grams: 50 })
    expect([await gramsOf(first), await gramsOf(second)]).toEqual([
      [100, 0, 100],
      [50, plate, 37.655],
    ])
    await farm.hub.report({ ...attempt, phase: 'confirmed' })
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    expect([await gramsOf(first), await gramsOf(second)]).toEqual([
      [100, 0, 100],
      [37.655, 0, 37.655],
    ])
  })

  test('takes from the spool it reserved on when that was only taken off, which is not deleted before', async () => {
    const id = await loadSpool()
    const { attempt } = await start()
    await ask('PATCH', `/materials/filament/${id}`, { printer_id: null })
    const refused = await farm.account.request('DELETE', `/materials/filament/${id}`)
    expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'RESOURCE_IN_USE'])
    await farm.hub.report({ ...attempt, phase: 'confirmed' })
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    expect(await gramsOf(id)).toEqual([87.655, 0, 87.655])
    expect((await farm.account.request('DELETE', `/materials/filament/${id}`)).statusCode).toBe(200)
  })

  test('does not keep a spool that went to another printer, and books nothing without one', async () => {
    const id = await loadSpool()
    const { attempt } = await start()
    const other = await ask('POST', '/printers', { name: 'Other', model: 'MK4S', connection_type: 'virtual' })
    await ask('PATCH', `/materials/filament/${id}`, { printer_id: other.id })
    expect(await gramsOf(id)).toEqual([100, 0, 100])
    await farm.hub.report({ ...attempt, phase: 'confirmed' })
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    expect(await gramsOf(id)).toEqual([100, 0, 100])
  })
})

describe('the margin', () => {
  test('is kept back on each spool, and a plate that would need it is told what is missing and what would do', async () => {
    const id = await loadSpool({ remaining_grams: 15 })
    await addSpool({ remaining_grams: 500, brand: 'Acme' })
    const rest = await addSpool({ remaining_grams: 40, brand: 'Acme', location: 'shelf B' })
    await addSpool({ remaining_grams: 30, type: 'PLA' })
    await addSpool({ remaining_grams: 30, color: 'White', hex_code: '#FFFFFF' })
    expect(await ask('GET', '/materials/settings')).toEqual({ checks_filament: true, filament_margin_grams: 0 })
    expect(await ask('PATCH', '/materials/settings', { filament_margin_grams: 5 })).toEqual({
      checks_filament: true,
      filament_margin_grams: 5,
    })
    expect(await gramsOf(id)).toEqual([15, 0, 10])
    const jobId = await farm.queueJob({ color: 'Black', filament_type: 'PETG' })
    const sentence =
      'The plate needs 12.35 g, 10 g of the 15 g on the spool are free: 2.35 g are missing. ' +
      'The spool of Acme PETG Black kept at shelf B would do: 35 g are free on it.'
    const { printers } = await ask('GET', `/jobs/${jobId}/explain`)
    const rule = printers[0].rules.find((each: { rule: string }) => each.rule === 'enough_filament')
    expect(rule).toMatchObject({
      passes: false,
      sentence,
      may_be_set_aside: true,
      shortages: [
        {
          filament_type: 'PETG',
          color: 'Black',
          needed_grams: 12.35,
          available_grams: 10,
          missing_grams: 2.35,
          spool: { id: rest, location: 'shelf B', printer_id: null, available_grams: 35 },
        },
      ],
    })
    const refused = await farm.account.request('POST', `/jobs/${jobId}/start`)
    expect([refused.statusCode, refused.json().error.code]).toEqual([400, 'JOB_DOES_NOT_FIT'])
    expect(refused.json().error.details.rules).toMatchObject([{ rule: 'enough_filament', sentence }])
  })

  test('asks nothing where the account does not want to be asked, and amounts are kept anyway', async () => {
    const id = await loadSpool({ remaining_grams: 5 })
    await ask('PATCH', '/materials/settings', { checks_filament: false })
    const { attempt } = await start()
    expect(await gramsOf(id)).toEqual([5, plate, 0])
    await farm.hub.report({ ...attempt, phase: 'confirmed' })
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    expect(await gramsOf(id)).toEqual([0, 0, 0])
  })

  test.each([
    [{ filament_margin_grams: -1 }, 'filament_margin_grams'],
    [{ filament_margin_grams: '5' }, 'filament_margin_grams'],
    [{ checks_filament: null }, 'checks_filament'],
    [{}, '_root'],
  ])('400: %j names the wrong field', async (body, field) => {
    const answer = await farm.account.request('PATCH', '/materials/settings', body)
    expect([answer.statusCode, Object.keys(answer.json().error.details)]).toEqual([400, [field]])
  })

  test('is that of the account alone', async () => {
    await ask('PATCH', '/materials/settings', { filament_margin_grams: 5 })
    const stranger = await t.account({ name: 'Stranger' })
    const theirs = await stranger.request('GET', '/materials/settings')
    expect(theirs.json().data).toEqual({ checks_filament: true, filament_margin_grams: 0 })
  })
})

test('what a print that runs has reserved is not promised to the next one', async () => {
  await loadSpool({ remaining_grams: 20 })
  const { attempt } = await start()
  const next = await farm.queueJob()
  const { printers } = await ask('GET', `/jobs/${next}/explain`)
  const sentences = printers[0].rules.flatMap((each: { passes: boolean; sentence: string }) =>
    each.passes ? [] : [each.sentence],
  )
  expect(sentences).toContain(
    'The plate needs 12.35 g, 7.655 g of the 20 g on the spool are free: 4.695 g are missing. No other spool of the farm has enough.',
  )
  await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'not_started' })
})
