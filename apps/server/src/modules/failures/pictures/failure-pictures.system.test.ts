import { randomBytes } from 'node:crypto'
import { SNAPSHOT_CAPABILITY } from '@printyard/protocol/version'
import sharp from 'sharp'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Memory } from '../../../kernel/memory.ts'
import { farmForEachTest } from '../../../test/app/app-hooks.ts'
import { systemWork } from '../../../test/app/system-work.ts'
import { addSku } from '../../../test/farm/test-catalogue.ts'
import { removeStaleUploads } from '../../files/uploads.service.ts'
import { countUsed } from '../../quotas/quotas.queries.ts'
import { startFailurePictures } from './follow-failures.ts'
import { removeOldPictures } from './remove-pictures.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

let offsetMs = 0
const now = () => new Date(Date.now() + offsetMs)
const { t, farm } = farmForEachTest({ context: { clock: { now } } }, now)
let still: Buffer
beforeEach(async () => {
  offsetMs = 0
  still = await drawStill()
  await farm.reconnect(0, [SNAPSHOT_CAPABILITY])
})

/** A picture of one colour, each of another one: small enough for one frame of the hub. */
function drawStill(): Promise<Buffer> {
  const [r = 0, g = 0, b = 0] = randomBytes(3)
  return sharp({ create: { width: 640, height: 480, channels: 3, background: { r, g, b } } })
    .jpeg()
    .toBuffer()
}

const get = (path: string, account = farm.account) => account.request('GET', path)
const failures = async () => (await get('/analytics/failures')).json().data.recent
const picture = (id: string, query = '') => get(`/analytics/failures/${id}/picture${query}`)
const questions = () => farm.hub.received.filter(({ type }) => type === 'snapshot').length

const failed = (happened_at = now().toISOString()) => ({
  phase: 'finished' as const,
  outcome: 'failed' as const,
  reason_code: 'CLOG',
  happened_at,
})

/** Prints a job on the printer, whose plate is clear, and lets it fail. */
async function fail(): Promise<string> {
  const jobId = await farm.queueJob()
  await farm.hub.report({ ...(await farm.print(jobId)), ...failed() })
  return jobId
}

async function pictured(): Promise<{ id: string; camera_picture_at: string; occurred_at: string }> {
  await t.settled(async () => (await failures())[0]?.camera_picture_at != null)
  return (await failures())[0]
}

/** Ends when every failure of the account was taken up, and nothing is on its way for it. */
async function looked(): Promise<void> {
  await t.settled(async () => {
    const [row] = await t.db.sql<{ left: number }[]>`
      select count(*)::int as left from print_failures
      where account_id = ${farm.account.id} and picture_wanted_until is not null`
    return row?.left === 0
  })
}

async function storedContents(): Promise<[sha256: string, thumbnail: string]> {
  const [row] = await t.db.sql<{ sha256: string; thumb_sha256: string }[]>`
    select sha256, thumb_sha256 from failure_pictures where account_id = ${farm.account.id}`
  if (!row) throw new Error('no picture is stored')
  return [row.sha256, row.thumb_sha256]
}

const isStored = async (sha256: string) => (await t.context.files.sizeOf(sha256)) !== undefined

describe('what the camera saw', () => {
  test('is kept with a print that failed, and shown as it was and small', async () => {
    farm.hub.showStill(still)
    const jobId = await fail()
    const failure = await pictured()
    expect(Date.parse(failure.camera_picture_at) - Date.parse(failure.occurred_at)).toBeLessThan(30_000)

    const whole = await picture(failure.id)
    expect(whole.statusCode, whole.body).toBe(200)
    expect(whole.headers).toMatchObject({ 'content-type': 'image/jpeg', 'cache-control': 'private, max-age=300' })
    expect(whole.rawPayload.equals(still)).toBe(true)
    const small = await picture(failure.id, '?size=small')
    expect(small.headers['content-type']).toBe('image/webp')
    expect(await sharp(small.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 480, height: 360 })

    const { attempts } = (await get(`/jobs/${jobId}/plan`)).json().data
    expect(attempts).toMatchObject([{ failure_id: failure.id, camera_picture_at: failure.camera_picture_at }])
    const told = (await get('/events?limit=100')).json().data
    expect(told).toContainEqual(
      expect.objectContaining({
        type: 'print_failure.updated',
        actor: 'system',
        data: { fields: ['camera_picture_at'], job_id: jobId },
      }),
    )
  })

  test('is kept with a print that was stopped', async () => {
    farm.hub.showStill(still)
    const jobId = await farm.queueJob()
    await farm.print(jobId)
    await farm.account.request('POST', `/jobs/${jobId}/stop`)
    const { id } = await pictured()
    expect((await picture(id)).rawPayload.equals(still)).toBe(true)
  })

  test('is one picture, however often the end is reported and however many processes look', async () => {
    const other = startFailurePictures({ ...t.context, memory: new Memory() })
    onTestFinished(() => other.stop())
    farm.hub.showStill(still)
    const jobId = await farm.queueJob()
    const report = { ...(await farm.print(jobId)), ...failed() }
    await Promise.all([farm.hub.report(report), farm.hub.report(report), farm.hub.report(report)])
    await pictured()
    await farm.hub.report(report)
    await looked()
    expect(questions()).toBe(1)
    expect(await failures()).toHaveLength(1)
  })

  test('is waited for by nothing: the job has ended, and its failure is on record, before the camera answers', async () => {
    const jobId = await fail()
    await farm.hub.waitFor('snapshot')
    expect(await farm.job(jobId)).toMatchObject({ status: 'failed' })
    expect(await failures()).toMatchObject([{ job_id: jobId, camera_picture_at: null }])
  })

  test('is no picture of a failure that was deleted meanwhile', async () => {
    const jobId = await fail()
    const { request_id } = await farm.hub.waitFor('snapshot')
    expect((await farm.account.request('DELETE', `/jobs/${jobId}`)).statusCode).toBe(200)
    const data = still.toString('base64')
    farm.hub.send('still', { request_id, printer_id: farm.printerId, data, is_last: true })
    await looked()
    await t.written()
    expect(await t.db.sql`select from failure_pictures where account_id = ${farm.account.id}`).toHaveLength(0)
  })
})

describe('no picture', () => {
  const without = async () => {
    await looked()
    await t.written()
    const [failure] = await failures()
    expect(failure).toMatchObject({ camera_picture_at: null })
    const answer = await picture(failure.id)
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'NOT_FOUND'])
  }

  test('of a printer without a camera, which is asked once', async () => {
    const jobId = await farm.queueJob()
    const attempt = await farm.print(jobId)
    const asked = farm.hub.waitFor('snapshot')
    await farm.hub.report({ ...attempt, ...failed() })
    const { request_id } = await asked
    farm.hub.send('no_still', {
      request_id,
      printer_id: farm.printerId,
      code: 'NOT_SUPPORTED',
      message: 'it has no camera',
    })
    await without()
    await failAgain()
    expect(questions()).toBe(2)
  })

  test('of a hub that takes none', async () => {
    await farm.reconnect(0, [])
    await fail()
    await without()
    expect(questions()).toBe(0)
  })

  test('of a hub that has gone, also when it is back', async () => {
    await fail()
    await farm.hub.waitFor('snapshot')
    await farm.hub.close()
    await without()
    await farm.reconnect(0, [SNAPSHOT_CAPABILITY])
    farm.hub.showStill(still)
    await failAgain()
    await t.settled(async () => (await failures()).length === 2)
    await pictured()
    const all = await failures()
    expect(all.map((each: { camera_picture_at: string | null }) => each.camera_picture_at === null)).toEqual([
      false,
      true,
    ])
  })

  test('of an end that was told late: by then the plate shows something else', async () => {
    farm.hub.showStill(still)
    const jobId = await farm.queueJob()
    const attempt = await farm.print(jobId)
    const endedAt = new Date(now().getTime() + 1_000).toISOString()
    offsetMs = 10 * minuteMs
    await farm.hub.report({ ...attempt, ...failed(endedAt) })
    await without()
    expect(questions()).toBe(0)
  })

  test('of what a camera gives and is no image', async () => {
    farm.hub.showStill(Buffer.concat([still.subarray(0, 200), Buffer.alloc(2_000), still.subarray(-2)]))
    await fail()
    await without()
    await removeStaleUploads(t.context)
  })

  /** Fails once more: the plate is cleared first. */
  async function failAgain(): Promise<void> {
    farm.hub.telemetry(farm.printerId, { status: 'idle' })
    await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
    await farm.account.request('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed' })
    await fail()
    await looked()
  }
})

describe('a failure that a process which ended has left', () => {
  /** As it is when the process ended between the failure and the look. */
  async function leave(wantedUntil: Date): Promise<void> {
    await farm.reconnect(0, [])
    await fail()
    await looked()
    await farm.reconnect(0, [SNAPSHOT_CAPABILITY])
    farm.hub.showStill(still)
    // Last, because it is looked at once.
    await t.db.sql`
      update print_failures set picture_wanted_until = ${wantedUntil} where account_id = ${farm.account.id}`
    // Anything that happens wakes those who look, as their own sweep does.
    const jobId = await farm.queueJob()
    await t.context.db.begin((sql) =>
      systemWork(sql, farm.account.id).record({
        type: 'job.cancelled',
        subjectId: jobId,
        data: { reason: null, plates_done: 0 },
      }),
    )
  }

  test('is looked at by the next one while the plate still shows it', async () => {
    await leave(new Date(now().getTime() + minuteMs))
    expect((await picture((await pictured()).id)).rawPayload.equals(still)).toBe(true)
  })

  test('is not looked at after that', async () => {
    await leave(new Date(now().getTime() - 1))
    await looked()
    expect(questions()).toBe(0)
    expect(await failures()).toMatchObject([{ camera_picture_at: null }])
  })
})

test("404 another account's failure, and 400 a size that there is not", async () => {
  farm.hub.showStill(still)
  await fail()
  const { id } = await pictured()
  const stranger = await t.account()
  const answer = await get(`/analytics/failures/${id}/picture`, stranger)
  expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'NOT_FOUND'])
  expect((await picture(id, '?size=huge')).json().error.code).toBe('VALIDATION_ERROR')
})

describe('the contents of a picture', () => {
  beforeEach(async () => {
    farm.hub.showStill(still)
  })

  test('stay while a failure has them, and count as storage of the account', async () => {
    await fail()
    await pictured()
    const contents = await storedContents()
    await removeStaleUploads(t.context)
    for (const sha256 of contents) expect(await isStored(sha256)).toBe(true)
    const used = () => countUsed(t.db.sql, farm.account.id, 'storage_mb', now())
    const before = await used()
    await t.db.sql`
      update failure_pictures set size_bytes = size_bytes + 5000000 where account_id = ${farm.account.id}`
    expect(await used()).toBe(before + 5)
  })

  test('go with the job', async () => {
    const jobId = await fail()
    await pictured()
    const contents = await storedContents()
    await farm.account.request('DELETE', `/jobs/${jobId}`)
    for (const sha256 of contents) expect(await isStored(sha256)).toBe(false)
  })

  test('go with the customer of the order that the job printed for', async () => {
    const sku = await addSku(farm.account)
    const body = { items: [{ product_sku_id: sku.id, quantity: 1, unit_price: 100 }] }
    const order = (await farm.account.request('POST', '/orders', body)).json().data
    const jobId = await fail()
    await t.db.sql`
      update jobs set order_item_id = ${order.items[0].id} where account_id = ${farm.account.id} and id = ${jobId}`
    await pictured()
    const contents = await storedContents()
    expect((await farm.account.request('POST', `/orders/${order.id}/erase-customer`)).statusCode).toBe(200)
    // Their bytes go once it was answered.
    for (const sha256 of contents) await t.settled(async () => !(await isStored(sha256)))
    expect(await failures()).toMatchObject([{ job_id: jobId, camera_picture_at: null }])
  })

  test('go when they are older than they are kept; the failure stays', async () => {
    const jobId = await fail()
    await pictured()
    const contents = await storedContents()
    const removeAfter = (days: number, failurePicturesKeptDays: number) =>
      removeOldPictures({
        ...t.context,
        config: { ...t.context.config, failurePicturesKeptDays },
        clock: { now: () => new Date(now().getTime() + days * dayMs) },
      })
    await removeAfter(30_000, 0)
    await removeAfter(29, 30)
    for (const sha256 of contents) expect(await isStored(sha256)).toBe(true)
    await removeAfter(31, 30)
    for (const sha256 of contents) expect(await isStored(sha256)).toBe(false)
    expect(await failures()).toMatchObject([{ job_id: jobId, camera_picture_at: null }])
  })
})
