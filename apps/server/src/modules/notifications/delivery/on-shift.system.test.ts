import { createECDH, randomBytes } from 'node:crypto'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { Memory } from '../../../kernel/memory.ts'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'
import { systemWork } from '../../../test/app/system-work.ts'
import { createTestPerson, type TestPerson } from '../../../test/farm/test-person.ts'
import { openTestNtfy } from '../../../test/services/test-ntfy.ts'
import { startTestSmtpServer } from '../../../test/services/test-smtp-server.ts'
import { openFarmTask } from '../../worklist/farm-tasks.ts'
import { startNotifications } from './follow-events.ts'

const smtp = await startTestSmtpServer()
afterAll(() => smtp.close())

const hourMs = 3_600_000
let lateMs = 0
const clock = { now: () => new Date(Date.now() + lateMs) }
const { t, account } = accountForEachTest({
  config: {
    outboundNetworks: '127.0.0.1',
    pushNetworks: '127.0.0.1',
    smtpUrl: smtp.url,
    mailFrom: 'farm@example.com',
  },
  context: { clock },
})

/** The shift in which two in the morning of Saturday lies. */
const fridayNight = { day: 5, from: '22:00', to: '06:00' }

let service: Awaited<ReturnType<typeof openTestNtfy>>
let owner: TestPerson
let awake: TestPerson
let asleep: TestPerson
beforeEach(async () => {
  lateMs = saturdayAt(2) - Date.now()
  await t.db.sql`update accounts set time_zone = 'UTC' where id = ${account.id}`
  service = await openTestNtfy()
  service.answer = (_came, response) => response.writeHead(201).end('{"id":"abc"}')
  smtp.mails.length = 0
  const people = ['owner', 'operator', 'operator'] as const
  ;[owner, awake, asleep] = (await Promise.all(people.map((role) => createTestPerson(t, account, role)))) as [
    TestPerson,
    TestPerson,
    TestPerson,
  ]
})

/** The next Saturday at this hour of UTC. */
function saturdayAt(hour: number): number {
  const day = new Date()
  day.setUTCHours(hour, 0, 0, 0)
  day.setUTCDate(day.getUTCDate() + ((6 - day.getUTCDay() + 7) % 7 || 7))
  return day.getTime()
}

function start() {
  const running = startNotifications({ ...t.context, memory: new Memory() })
  onTestFinished(() => running.stop())
}

const setShifts = async (person: TestPerson, shifts: object[]) => {
  const answer = await owner.request('PUT', `/members/${person.memberId}/shifts`, { shifts })
  expect(answer.statusCode).toBe(200)
}

/** Has a browser of a person told, at this path of the push service. */
async function addBrowser(person: TestPerson, path: string): Promise<void> {
  const browser = createECDH('prime256v1')
  browser.generateKeys()
  const keys = { p256dh: browser.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
  const device = { name: path, endpoint: `${service.url}${path}`, keys }
  expect((await person.request('POST', '/push-devices', device)).statusCode).toBe(201)
}

async function addChannel(body: object): Promise<string> {
  const answer = await owner.request('POST', '/notification-channels', { name: 'Channel', ...body })
  expect(answer.statusCode).toBe(201)
  return answer.json().data.id
}

const ask = (subjectId: string, priority: 'medium' | 'high' = 'high') =>
  t.context.db.begin((sql) =>
    openFarmTask(systemWork(sql, account.id), {
      source: 'health',
      subjectId,
      printerId: null,
      task_type: 'maintenance',
      priority,
      title: `Look at ${subjectId}`,
      subtitle: '',
      description: '',
    }),
  )

/** Where messages came, once as many as these are told and none waits. */
async function told(count: number): Promise<string[]> {
  const log = async (query: string) => (await owner.request('GET', `/notifications?limit=100${query}`)).json().data
  await t.settled(async () => (await log('')).length >= count && (await log('&status=pending')).length === 0)
  expect(await log('')).toHaveLength(count)
  const places = service.came.map(({ path, json }) => (path === '/' ? json().topic : path))
  return [...places, ...smtp.mails.map(({ to }) => to)].sort()
}

test('at two in the morning the first rule wakes who is on shift, and no one else', async () => {
  await addBrowser(owner, '/push/owner')
  await addBrowser(awake, '/push/awake')
  await addBrowser(asleep, '/push/asleep')
  await setShifts(awake, [fridayNight])
  await setShifts(asleep, [{ day: 6, from: '06:00', to: '14:00' }])
  start()
  await ask('p1')
  expect(await told(1)).toEqual(['/push/awake'])
  lateMs += 5 * hourMs
  await ask('p2')
  expect(await told(2)).toEqual(['/push/asleep', '/push/awake'])
})

test('of the channels of a rule, mail and ntfy of members reach who is on shift, and what several read is told too', async () => {
  await setShifts(awake, [fridayNight])
  await setShifts(asleep, [{ day: 1, from: '06:00', to: '14:00' }])
  const ntfy = (topic: string, user?: TestPerson) =>
    addChannel({ kind: 'ntfy', server: service.url, topic, ...(user && { user_id: user.userId }) })
  const channels = [
    await addChannel({ kind: 'mail', user_id: awake.userId }),
    await addChannel({ kind: 'mail', user_id: asleep.userId }),
    await ntfy('awake', awake),
    await ntfy('asleep', asleep),
    await ntfy('workshop'),
  ]
  const rule = { name: 'Night', kinds: ['needs_person'], channel_ids: channels, to_on_shift: true }
  expect((await owner.request('POST', '/notification-rules', rule)).statusCode).toBe(201)
  start()
  await ask('p1')
  expect(await told(3)).toEqual(['awake', 'workshop', awake.email].sort())
})

test('while no one is on shift owners and admins are told at once, and without shifts all who may act', async () => {
  const admin = await createTestPerson(t, account, 'admin')
  for (const [person, path] of [
    [owner, '/owner'],
    [admin, '/admin'],
    [awake, '/awake'],
    [asleep, '/asleep'],
  ] as const) {
    await addBrowser(person, path)
  }
  start()
  await ask('p1')
  expect(await told(4)).toEqual(['/admin', '/asleep', '/awake', '/owner'])
  service.came.length = 0
  await setShifts(asleep, [{ day: 1, from: '06:00', to: '14:00' }])
  await ask('p2')
  expect(await told(6)).toEqual(['/admin', '/owner'])
})

test('who switches on is told at once, and no longer when it has ended by itself', async () => {
  await addBrowser(owner, '/owner')
  await addBrowser(awake, '/awake')
  await addBrowser(asleep, '/asleep')
  await setShifts(awake, [fridayNight])
  const until = (hours: number) => new Date(clock.now().getTime() + hours * hourMs).toISOString()
  expect((await awake.request('POST', '/shifts/switch', { is_on: false, until: until(2) })).statusCode).toBe(201)
  expect((await asleep.request('POST', '/shifts/switch', { is_on: true, until: until(1) })).statusCode).toBe(201)
  start()
  await ask('p1')
  expect(await told(1)).toEqual(['/asleep'])
  service.came.length = 0
  lateMs += 1.5 * hourMs
  await ask('p2')
  expect(await told(2)).toEqual(['/owner'])
  service.came.length = 0
  lateMs += hourMs
  await ask('p3')
  expect(await told(3)).toEqual(['/awake'])
})

test('what quiet hours hold back goes to the shift that is there when they end', async () => {
  await addBrowser(awake, '/awake')
  await addBrowser(asleep, '/asleep')
  await setShifts(awake, [fridayNight])
  await setShifts(asleep, [{ day: 6, from: '06:00', to: '14:00' }])
  const [first] = (await owner.request('GET', '/notification-rules')).json().data
  const quiet = { quiet_from: '22:00', quiet_to: '06:30', time_zone: 'UTC' }
  expect((await owner.request('PATCH', `/notification-rules/${first.id}`, quiet)).statusCode).toBe(200)
  start()
  await ask('p1', 'medium')
  const waiting = async () => (await owner.request('GET', '/notifications?status=pending')).json().data.length
  await t.settled(async () => (await waiting()) === 1)
  lateMs += 5 * hourMs
  expect(await told(1)).toEqual(['/asleep'])
})
