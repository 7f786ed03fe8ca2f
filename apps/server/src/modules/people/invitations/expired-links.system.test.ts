import { beforeAll, expect, test } from 'vitest'
import { accountForAllTests } from '../../../test/app/app-hooks.ts'
import { createTestPerson, pageRequest, type TestPerson } from '../../../test/farm/test-person.ts'

let owner: TestPerson
const { t, account } = accountForAllTests()
beforeAll(async () => {
  owner = await createTestPerson(t, account, 'owner')
})

const before = 'the one of before'
const chosen = 'the one of today'
const post = (path: string, body: unknown) => t.app.inject(pageRequest('POST', path, undefined, body))
const codeOf = async (path: string, body: unknown) => (await post(path, body)).json().error?.code ?? 'OK'
/** A second ago by the clock of the service, which lets links expire. */
const justNow = () => new Date(t.context.clock.now().getTime() - 1_000)

test('an invitation whose time is over shows nothing and makes no one a member; a new one does', async () => {
  const invited = { email: 'late@example.com', role: 'viewer' }
  const invite = async () => {
    const answer = await owner.request('POST', '/invitations', invited)
    expect(answer.statusCode).toBe(201)
    return { id: answer.json().data.id as string, token: answer.json().data.url.split('#')[1] as string }
  }
  const { id, token } = await invite()
  expect(await codeOf('/invitations/look', { token })).toBe('OK')
  await t.db.sql`
    update invitations set expires_at = ${justNow()} where account_id = ${account.id} and id = ${id}`

  expect(await codeOf('/invitations/look', { token })).toBe('INVITATION_INVALID')
  expect(await codeOf('/invitations/accept', { token, name: 'Late', password: chosen })).toBe('INVITATION_INVALID')
  expect(await t.db.sql`select id from users where email = ${invited.email}`).toEqual([])
  // Anyone who made it sees that it ran out, rather than nothing.
  const [listed] = (await owner.request('GET', '/invitations')).json().data
  expect(listed.id).toBe(id)
  expect(Date.parse(listed.expires_at)).toBeLessThan(t.context.clock.now().getTime())

  const { token: again } = await invite()
  expect(await codeOf('/invitations/accept', { token: again, name: 'Late', password: chosen })).toBe('OK')
})

test('a link to a new password whose time is over changes nothing; a new one does', async () => {
  const member = await createTestPerson(t, account, 'operator', { password: before })
  const makeToken = async () => {
    const answer = await owner.request('POST', `/members/${member.memberId}/reset-link`)
    expect(answer.statusCode).toBe(201)
    return answer.json().data.url.split('#')[1] as string
  }
  const token = await makeToken()
  await t.db.sql`update password_resets set expires_at = ${justNow()} where user_id = ${member.userId}`
  expect(await codeOf('/password/reset', { token, password: chosen })).toBe('RESET_LINK_INVALID')
  expect((await member.request('GET', '/session')).statusCode).toBe(200)
  expect(await codeOf('/sign-in', { email: member.email, password: before })).toBe('OK')

  expect(await codeOf('/password/reset', { token: await makeToken(), password: chosen })).toBe('OK')
  expect(await codeOf('/sign-in', { email: member.email, password: chosen })).toBe('OK')
})
