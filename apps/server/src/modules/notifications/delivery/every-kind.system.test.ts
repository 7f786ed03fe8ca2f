import { SNAPSHOT_CAPABILITY } from '@printyard/protocol/version'
import sharp from 'sharp'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { Memory } from '../../../kernel/memory.ts'
import { farmForEachTest } from '../../../test/app/app-hooks.ts'
import { systemWork } from '../../../test/app/system-work.ts'
import { addSku, itemOf, setStock } from '../../../test/farm/test-catalogue.ts'
import { createTestPerson } from '../../../test/farm/test-person.ts'
import { openTestNtfy } from '../../../test/services/test-ntfy.ts'
import { startTestSmtpServer } from '../../../test/services/test-smtp-server.ts'
import { openFarmTask } from '../../worklist/farm-tasks.ts'
import { kinds } from '../rules/kinds.ts'
import { startNotifications } from './follow-events.ts'

const smtp = await startTestSmtpServer()
afterAll(() => smtp.close())
const publicUrl = 'http://farm.example.com'
const { t, farm } = farmForEachTest({
  config: { outboundNetworks: '127.0.0.1', smtpUrl: smtp.url, mailFrom: 'farm@example.com', publicUrl },
})

const at = () => new Date().toISOString()

/** What a real farm writes down when these happen, where the way to it is long; the others are brought about below. */
async function happen(orderId: string, webhookId: string): Promise<void> {
  const { printerId } = farm
  const attempt = { printer_id: printerId, attempt_id: 'att_1', plate: 1, plates_done: 0 }
  const [done, failed] = [await farm.queueJob(), await farm.queueJob()]
  await t.context.db.begin(async (sql) => {
    const work = systemWork(sql, farm.account.id)
    await work.recordAll([
      { type: 'job.completed', subjectId: done, data: { ...attempt, reason: null, reason_code: null } },
      { type: 'job.failed', subjectId: failed, data: { ...attempt, reason: 'Jammed', reason_code: null } },
      { type: 'printer.offline', subjectId: printerId, data: { cause: 'printer', since: at(), problems: [] } },
      { type: 'printer.error', subjectId: printerId, data: { reason: null, since: at(), problems: [] } },
      { type: 'order.at_risk', subjectId: orderId as never, data: { ship_by: at(), leaves_at: at() } },
      { type: 'order.late', subjectId: orderId as never, data: { ship_by: at() } },
      { type: 'webhook.paused', subjectId: webhookId as never, data: { reason: 'gone', failing_since: null } },
    ])
    for (const [source, subjectId] of [
      ['hub_silent', farm.hubId],
      ['backup', 'backup'],
      ['plate', 'plate'],
    ] as const) {
      await openFarmTask(work, {
        ...{ source, subjectId, printerId: null, task_type: 'maintenance', priority: 'medium' },
        ...{ title: `A task of ${source}`, subtitle: '', description: '' },
      })
    }
  })
}

test('each kind is told, to a topic and by mail, with what the camera sees where it is about a printer', async () => {
  const { account } = farm
  const owner = await createTestPerson(t, account, 'owner')
  const ntfy = await openTestNtfy()
  const hub = await farm.reconnect(0, [SNAPSHOT_CAPABILITY])
  const background = { r: 90, g: 40, b: 40 }
  const still = await sharp({ create: { width: 320, height: 240, channels: 3, background } })
    .jpeg()
    .toBuffer()
  hub.showStill(still)
  const add = async (body: object): Promise<string> => {
    const answer = await owner.request('POST', '/notification-channels', body)
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json().data.id
  }
  const topic = await add({ kind: 'ntfy', name: 'Workshop', server: ntfy.url, topic: 'farm-topic' })
  const mail = await add({ kind: 'mail', name: 'Mail', user_id: owner.userId })
  const rule = { name: 'All', kinds, channel_ids: [topic, mail] }
  expect((await owner.request('POST', '/notification-rules', rule)).statusCode).toBe(201)
  const running = startNotifications({ ...t.context, memory: new Memory() })
  onTestFinished(() => running.stop())

  const sku = await addSku(account, { low_stock_threshold: 5 })
  await setStock(account, sku, 10)
  const item = await itemOf(account, sku)
  await account.request('POST', `/inventory/${item.id}/adjust`, { adjustment: -8, reason: 'manual' })
  const spool = { type: 'PLA', color: 'Black', remaining_grams: 1_000, low_threshold: 200 }
  const added = await account.request('POST', '/materials/filament', spool)
  expect(added.statusCode, added.body).toBe(201)
  await account.request('POST', `/materials/filament/${added.json().data.id}/consume`, { quantity: 900 })
  const items = [{ product_sku_id: sku.id, quantity: 1, unit_price: 100 }]
  const order = (await account.request('POST', '/orders', { customer_name: 'Kim', items })).json().data
  const webhook = (
    await account.request('POST', '/webhooks', { url: `${ntfy.url}/hook`, event_types: ['color.*'] })
  ).json()
  await happen(order.id, webhook.data.id)

  const log = async (channelId: string) =>
    (await owner.request('GET', `/notifications?limit=100&channel_id=${channelId}`)).json().data
  for (const channelId of [topic, mail]) {
    const isTold = async () => {
      const told: { kind: string; status: string }[] = await log(channelId)
      return kinds.every((kind) => told.some((each) => each.kind === kind && each.status === 'sent'))
    }
    await t.settled(isTold)
  }
  const mailOf = (words: string) => smtp.mails.find(({ text }) => text.includes(words))
  const failed = mailOf('Subject: Print failed: clip on Printer')
  expect(failed?.to).toBe(owner.email)
  expect(failed?.text).toContain(`${publicUrl}/jobs/`)
  // Encoded in lines of a fixed length, of which the server takes the last sign for a soft break.
  expect(failed?.text.replaceAll(/[\s=]/g, '')).toContain(still.toString('base64').replaceAll('=', ''))
  expect(mailOf('Subject: A task of plate')?.text).toContain('I take it')
  expect(mailOf('Subject: Stock is low')?.text).not.toContain('image/jpeg')
  const withPicture = ntfy.came.filter(({ body }) => body.includes(still))
  expect(withPicture.length).toBeGreaterThan(0)
  expect(
    withPicture.map(({ headers }) => String(headers['x-click'])).some((url) => url.startsWith(`${publicUrl}/jobs/`)),
  ).toBe(true)
}, 60_000)
