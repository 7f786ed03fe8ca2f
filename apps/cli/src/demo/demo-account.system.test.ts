import { createTestApp } from '@printyard/server/test/app/test-app'
import { createTestPerson, pageRequest } from '@printyard/server/test/farm/test-person'
import { expect, onTestFinished, test } from 'vitest'
import { createDemoAccount } from './demo.ts'
import { startReceiver } from './receiver.ts'
import { seedChannel } from './seed-connections.ts'
import { seedNotifications } from './seed-notifications.ts'
import { seedRules } from './seed-rules.ts'

test('the owner of the demo signs in with what was said, and has a name', async () => {
  const t = await createTestApp()
  onTestFinished(() => t.close())
  const said: string[] = []
  await createDemoAccount(t.db, (line) => said.push(line))
  const [, email, password] = /: (\S+), password (\S+)$/.exec(said.join()) ?? []
  const answer = await t.app.inject(pageRequest('POST', '/sign-in', undefined, { email, password }))
  expect(answer.json().data).toMatchObject({
    user: { name: 'Demo owner' },
    account: { name: 'Demo farm' },
    role: 'owner',
  })
})

test('the demo tells of what happens by rules of its own, to no service of others', async () => {
  const t = await createTestApp({ config: { outboundNetworks: '127.0.0.1/32' } })
  onTestFinished(() => t.close())
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  const account = await t.account()
  const channelId = await seedChannel(t.context, account.id, receiver.url)
  await seedRules(t.db, account.id, channelId)
  await seedNotifications(t.db, account.id, channelId)
  const rules = await t.db.sql<{ channel_ids: string[]; tells_browsers: boolean }[]>`
    select channel_ids, to_acting_members or to_on_shift as tells_browsers from notification_rules where account_id = ${account.id} and is_active`
  expect(rules).toHaveLength(4)
  for (const { channel_ids, tells_browsers } of rules) {
    expect(channel_ids).toEqual(tells_browsers ? [] : [channelId])
  }
  const owner = await createTestPerson(t, account, 'owner')
  const channels = await owner.request('GET', '/notification-channels')
  expect(channels.json().data).toMatchObject([{ name: 'Workshop screen', target: new URL(receiver.url).host }])
})
