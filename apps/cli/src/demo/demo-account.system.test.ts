import { createTestApp } from '@printyard/server/test/test-app'
import { pageRequest } from '@printyard/server/test/test-person'
import { expect, onTestFinished, test } from 'vitest'
import { createDemoAccount } from './demo.ts'
import { seedNotifications } from './seed-notifications.ts'

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
  const t = await createTestApp()
  onTestFinished(() => t.close())
  const account = await t.account()
  await seedNotifications(t.db, account.id)
  const rules = await t.db.sql<{ channel_ids: string[]; to_acting_members: boolean }[]>`
    select channel_ids, to_acting_members from notification_rules where account_id = ${account.id} and is_active`
  expect(rules).toHaveLength(3)
  for (const rule of rules) expect(rule).toEqual({ channel_ids: [], to_acting_members: true })
})
