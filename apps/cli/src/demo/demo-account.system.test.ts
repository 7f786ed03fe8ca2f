import { createTestApp } from '@printyard/server/test/test-app'
import { pageRequest } from '@printyard/server/test/test-person'
import { expect, onTestFinished, test } from 'vitest'
import { createDemoAccount } from './demo.ts'

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
