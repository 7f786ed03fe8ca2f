import { expect, test } from 'vitest'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'
import { systemWork } from '../../../test/app/system-work.ts'
import { createTestPerson } from '../../../test/farm/test-person.ts'
import { startServiceProcess } from '../../../test/run/service-process.ts'
import { openTestNtfy } from '../../../test/services/test-ntfy.ts'
import { openFarmTask } from '../../worklist/farm-tasks.ts'

const { t, account } = accountForEachTest({ config: { outboundNetworks: '127.0.0.1' } })

const topics = ['left-shelf', 'right-shelf', 'office', 'home']

async function ask(from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 1) {
    const about = {
      ...{ source: 'health' as const, subjectId: `p${n}`, printerId: null, task_type: 'maintenance' as const },
      ...{ priority: 'medium' as const, title: `Look at p${n}`, subtitle: '', description: '' },
    }
    await t.context.db.begin((sql) => openFarmTask(systemWork(sql, account.id), about))
  }
}

test('of two services one is killed in the middle of sending: all is told, and nothing twice but what was under way', async () => {
  const owner = await createTestPerson(t, account, 'owner')
  const service = await openTestNtfy()
  const channelIds: string[] = []
  for (const topic of topics) {
    const settings = { kind: 'ntfy', name: topic, server: service.url, topic, token: 'tk_very_secret' }
    const made = await owner.request('POST', '/notification-channels', settings)
    expect(made.statusCode, made.body).toBe(201)
    channelIds.push(made.json().data.id)
  }
  const rule = { name: 'All', kinds: ['needs_person'], channel_ids: channelIds }
  expect((await owner.request('POST', '/notification-rules', rule)).statusCode).toBe(201)
  const told = () => service.came.map((each) => `${each.json().topic} ${each.json().title}`)
  const twice = () => [...new Set(told().filter((each, index, all) => all.indexOf(each) !== index))]

  const left = await startServiceProcess(t)
  await ask(0, 5)
  await left.does(() => service.came.length === 20)
  // From here on answers are withheld: each channel has one message under way when the service is killed.
  const answer = service.answer
  service.answer = () => undefined
  await ask(5, 10)
  await left.does(() => service.came.length === 24)
  const right = await startServiceProcess(t)
  await left.kill()
  // On a busy machine the start takes longer than an answer may: then there is another message under way.
  const underWay = told().slice(20)
  service.answer = answer
  // Leases of who was killed end at once, instead of ninety seconds later.
  await t.db.sql`
    update notification_channels set lease_id = null, leased_until = null where account_id = ${account.id}`
  await right.does(() => new Set(told()).size === 40)
  const isSent = async () => {
    const pending = await owner.request('GET', '/notifications?limit=100&status=pending')
    return pending.json().data.length === 0
  }
  await right.does(isSent)
  expect(twice().sort()).toEqual([...new Set(underWay)].sort())
  expect(service.came).toHaveLength(40 + underWay.length)

  // Two that share the work tell each thing once.
  const third = await startServiceProcess(t)
  await ask(10, 30)
  await third.does(() => new Set(told()).size === 120)
  await third.does(isSent)
  expect(service.came).toHaveLength(120 + underWay.length)
}, 240_000)
