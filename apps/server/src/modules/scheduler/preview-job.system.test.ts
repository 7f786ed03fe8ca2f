import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PrinterId } from '../../kernel/ids.ts'
import { createTestApp, type TestApp } from '../../test/app/test-app.ts'
import { createTestFarm, type TestFarm } from '../../test/farm/test-farm.ts'
import { fleetOf, insertFile, type TestFleet } from '../../test/farm/test-fleet.ts'

let t: TestApp
let farm: TestFarm
let fleet: TestFleet
let northId: PrinterId
let fileId: string

beforeAll(async () => {
  // Nothing starts by itself here, so that the farm stands still while a test looks at it.
  let isDraining = false
  t = await createTestApp({ context: { isDraining: () => isDraining } })
  farm = await createTestFarm(t)
  isDraining = true
  fleet = fleetOf(t, farm)
  northId = await fleet.addPrinter('North 2')
  await fleet.addPrinter('South 1', { current_filament_type: 'PLA' })
  fileId = await insertFile(t, farm.account.id, { print_time_seconds: 1_800, filament_type: 'PETG' })
})
afterAll(async () => {
  await farm.hub.close()
  await t.close()
})

const preview = async (body: object, account = farm.account) => account.request('POST', '/jobs/preview', body)
const told = async (body: object) => (await preview({ print_file_id: fileId, ...body })).json().data
const minutesUntil = (at: string) => (Date.parse(at) - t.context.clock.now().getTime()) / 60_000

const countAll = async () => {
  const { id } = farm.account
  const [counts] = await t.db.sql<{ jobs: number; events: number }[]>`
    select (select count(*) from jobs where account_id = ${id}) as jobs,
           (select count(*) from events where account_id = ${id}) as events`
  return counts
}

describe('a preview', () => {
  test('names the printer that is free, how many fit, and when it would be done', async () => {
    const answer = await told({ number_of_units: 4, quantity_per_print: 2 })
    expect(answer).toMatchObject({
      plates_total: 2,
      estimated_print_time_minutes: 60,
      printers_total: 3,
      // What the farm's first printer is loaded with is not known.
      printers_fitting: 2,
      printers_with_other_filament: 1,
      printers_ready: 1,
      jobs_before: 0,
      reason: 'starts_now',
      free_printer_id: northId,
      free_printer_name: 'North 2',
    })
    expect(minutesUntil(answer.finish_p50_at)).toBeCloseTo(60, 0)
    expect(answer.finish_p90_at).toBeNull()
  })

  test('queues nothing, records nothing and tells no one', async () => {
    const before = await countAll()
    const told: string[] = []
    const stop = t.context.db.onChange(({ what }) => told.push(what))
    expect((await preview({ print_file_id: fileId })).statusCode).toBe(200)
    stop()
    expect(await countAll()).toEqual(before)
    expect(told).toEqual([])
  })

  test('of a busy farm tells when its turn would be over, after what prints and waits', async () => {
    farm.hub.telemetry(northId, { status: 'printing', remaining_time_minutes: 20 })
    await t.settled(() => t.context.printers.find(northId)?.state.status === 'printing')
    const first = await told({})
    expect(first).toMatchObject({ free_printer_id: null, printers_fitting: 2, printers_ready: 0 })
    const waiting = await Promise.all(
      [1, 2, 3].map(() => fleet.queue({ print_file_id: fileId, quantity_per_print: 1 })),
    )
    const behind = await told({})
    expect(behind.jobs_before).toBe(3)
    expect(Date.parse(behind.finish_p50_at)).toBeGreaterThan(Date.parse(first.finish_p50_at))
    const urgent = await told({ priority: 'urgent' })
    expect(urgent.jobs_before).toBe(0)
    expect(minutesUntil(urgent.finish_p50_at)).toBeLessThan(minutesUntil(behind.finish_p50_at))
    for (const id of waiting) await farm.account.request('POST', `/jobs/${id}/cancel`)
    await fleet.showIdle(northId)
  })

  test('says what is in the way, in the words of the explanation', async () => {
    const answer = await told({ filament_type: 'ASA' })
    expect(answer).toMatchObject({ printers_fitting: 1, reason: 'filament_type_matches', free_printer_id: null })
    const jobId = await fleet.queue({ print_file_id: fileId, filament_type: 'ASA' })
    const explained = (await farm.account.request('GET', `/jobs/${jobId}/explain`)).json().data
    expect(answer.sentence).toBe(explained.sentence)
    expect(answer.remedy).toEqual(explained.remedy)
    await farm.account.request('POST', `/jobs/${jobId}/cancel`)
  })

  test('refuses what queueing refuses', async () => {
    const refused = await preview({ print_file_id: 'fil_01kaxq3v7m2e8h5t9w4c6y0b1d' })
    expect([refused.statusCode, refused.json().error.code]).toEqual([404, 'FILE_NOT_FOUND'])
    expect((await preview({ number_of_units: 0, print_file_id: fileId })).statusCode).toBe(400)
  })

  test('knows only the files and printers of the account', async () => {
    const stranger = await t.account({ name: 'Stranger' })
    const answer = await preview({ print_file_id: fileId }, stranger)
    expect(answer.json().error.code).toBe('FILE_NOT_FOUND')
  })
})
