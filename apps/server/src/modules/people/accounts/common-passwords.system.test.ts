import { beforeAll, expect, test } from 'vitest'
import { appForAllTests } from '../../../test/app/app-hooks.ts'
import { createTestApp } from '../../../test/app/test-app.ts'
import { createTestPerson, pageRequest, type TestPerson } from '../../../test/farm/test-person.ts'
import { setUpCode } from '../sign-in/set-up-code.ts'

let owner: TestPerson
let member: TestPerson
const present = 'the one of before'
const t = appForAllTests()
beforeAll(async () => {
  const farm = await t.account({ name: 'North Farm' })
  owner = await createTestPerson(t, farm, 'owner')
  member = await createTestPerson(t, farm, 'operator', { password: present, email: 'grace.hopper@example.com' })
})

const refused = ['Password2026!', 'printyard2026', 'North-Farm-1', 'grace.hopper1']
const post = (path: string, body: unknown) => t.app.inject(pageRequest('POST', path, undefined, body))

test('a password that is tried first, or is only a name, is refused when one is changed', async () => {
  for (const password of refused) {
    const answer = await member.request('PUT', '/password', { current_password: present, new_password: password })
    expect(answer.json().error, password).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { new_password: [expect.any(String)] },
    })
  }
})

test('… and by a link, which stays good for a better one', async () => {
  const { url } = (await owner.request('POST', `/members/${member.memberId}/reset-link`)).json().data
  const [, token] = url.split('#')
  for (const password of refused) {
    const answer = await post('/password/reset', { token, password })
    expect(answer.json().error, password).toMatchObject({ details: { password: [expect.any(String)] } })
  }
  expect((await post('/password/reset', { token, password: 'the one of today' })).statusCode).toBe(200)
})

test('… and by an invitation', async () => {
  const invited = { email: 'ada.lovelace@example.com', role: 'viewer' }
  const { url } = (await owner.request('POST', '/invitations', invited)).json().data
  const [, token] = url.split('#')
  for (const password of ['Password2026!', 'North-Farm-1', 'ada.lovelace1', 'AdaByron1815']) {
    const answer = await post('/invitations/accept', { token, name: 'Ada Byron', password })
    expect(answer.json().error, password).toMatchObject({ details: { password: [expect.any(String)] } })
  }
  const better = await post('/invitations/accept', { token, name: 'Ada Byron', password: 'the one of today' })
  expect(better.statusCode, better.body).toBeLessThan(300)
})

test('… and when the service is set up', async () => {
  const fresh = await createTestApp()
  const code = setUpCode(fresh.context.secrets)
  const wanted = { code, account_name: 'South Farm', name: 'Mary Shelley', email: 'owner@example.com' }
  const setUp = (password: string) =>
    fresh.app.inject(pageRequest('POST', '/setup', undefined, { ...wanted, password }))
  try {
    for (const password of ['1234567890', 'southfarm2026', 'owner123456', 'Mary Shelley']) {
      const answer = await setUp(password)
      expect(answer.json().error, password).toMatchObject({ details: { password: [expect.any(String)] } })
    }
    expect((await setUp('the one of today')).statusCode).toBe(201)
  } finally {
    await fresh.close()
  }
})
