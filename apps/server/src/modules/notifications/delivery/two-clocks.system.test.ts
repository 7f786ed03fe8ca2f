import { expect, onTestFinished, test } from 'vitest'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'
import { systemWork } from '../../../test/app/system-work.ts'
import { createTestPerson } from '../../../test/farm/test-person.ts'
import { startServiceProcess } from '../../../test/run/service-process.ts'
import { openTestNtfy } from '../../../test/services/test-ntfy.ts'
import { openTestSpoolman } from '../../../test/services/test-spoolman.ts'
import { openFarmTask } from '../../worklist/farm-tasks.ts'

const { t, account } = accountForEachTest({ config: { outboundNetworks: '127.0.0.1' } })

const hourMs = 3_600_000
const topics = ['left-shelf', 'right-shelf', 'office']

function ask(n: number): Promise<unknown> {
  const about = {
    ...{ source: 'health' as const, subjectId: `p${n}`, printerId: null, task_type: 'maintenance' as const },
    ...{ priority: 'medium' as const, title: `Look at p${n}`, subtitle: '', description: '' },
  }
  return t.context.db.begin((sql) => openFarmTask(systemWork(sql, account.id), about))
}

test('two services on machines whose clocks are six hours apart share the work: nothing is lost, told twice or booked twice', async () => {
  const owner = await createTestPerson(t, account, 'owner')
  const service = await openTestNtfy()
  // As slow as services are, so that each holds a channel while the other looks for work.
  const refused = new Set<string>()
  service.answer = (came, response) => {
    const { topic, title } = came.json()
    const isFirst = title === 'Look at p0' && !refused.has(topic)
    refused.add(topic)
    setTimeout(() => response.writeHead(isFirst ? 503 : 200).end('{"id":"abc"}'), 600)
  }
  const channelIds: string[] = []
  for (const topic of topics) {
    const settings = { kind: 'ntfy', name: topic, server: service.url, topic, token: 'tk_very_secret' }
    channelIds.push((await owner.request('POST', '/notification-channels', settings)).json().data.id)
  }
  await owner.request('POST', '/notification-rules', { name: 'All', kinds: ['needs_person'], channel_ids: channelIds })
  const spoolman = await openTestSpoolman()
  onTestFinished(() => spoolman.close())
  const spool = spoolman.addSpool(spoolman.addFilament({ name: 'Black', material: 'PETG', weight: 1000 }))
  expect((await owner.request('POST', '/spoolman', { url: spoolman.url })).statusCode).toBe(201)
  const connection = async () => (await owner.request('GET', '/spoolman')).json().data.connection

  const ahead = await startServiceProcess(t, { clockAheadMs: 3 * hourMs })
  await startServiceProcess(t, { clockAheadMs: -3 * hourMs })
  await ahead.does(async () => (await connection()).last_read_at !== null)
  const [material] = (await account.request('GET', '/materials/filament')).json().data
  for (let n = 0; n < 12; n += 1) {
    await ask(n)
    await account.request('POST', `/materials/filament/${material.id}/consume`, { quantity: 1.5 })
  }
  const told = () => service.came.map((each) => `${each.json().topic} ${each.json().title}`)
  await ahead.does(() => new Set(told()).size === 36)
  await ahead.does(async () => {
    const pending = await owner.request('GET', '/notifications?limit=100&status=pending')
    return pending.json().data.length === 0 && (await connection()).waiting_usages === 0
  })
  // What was refused comes once more, after the five seconds of the schedule.
  expect(told().toSorted()).toEqual(
    [...topics, ...topics.flatMap((topic) => [...Array(12).keys()].map((n) => `${topic} Look at p${n}`))]
      .map((each) => (topics.includes(each) ? `${each} Look at p0` : each))
      .toSorted(),
  )
  expect([spool.used_weight, (await connection()).failing_since]).toEqual([18, null])
  const log = (await owner.request('GET', '/notifications?limit=100')).json().data
  for (const { attempted_at } of log) expect(Math.abs(Date.parse(attempted_at) - Date.now())).toBeLessThan(10 * 60_000)
}, 240_000)
