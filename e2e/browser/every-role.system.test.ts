import { readFile } from 'node:fs/promises'
import { sampleOf, walkedOneIn } from '@printyard/protocol/test/sample'
import { slicedFile } from '@printyard/server/test/farm/sliced-file'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { type FarmIds, fillFarm } from './test/busy-farm.ts'
import { addressOf, everyPage } from './test/every-page.ts'
import { goTo } from './test/go-to.ts'
import type { Control, View } from './test/page-controls/control.ts'
import { findControlFaults, isMissing } from './test/page-controls/find-control-faults.ts'
import { callingControls, pageControls } from './test/page-controls/page-controls.ts'
import { followRequests, shownControls } from './test/shown-controls.ts'
import {
  desktop,
  hasBrowser,
  type MemberRole,
  owner,
  phone,
  startDashboard,
  type TestDashboard,
} from './test/test-dashboard.ts'

/** What is fetched by itself, such as the area for files, may come so much later than the page around it. */
const lateMs = 20_000
/** What is too much does not come late: it can only be what the page before has not taken away yet. */
const leavingMs = 4_000
const memberPages = everyPage.filter(({ isForVisitors }) => !isForVisitors).map(({ path }) => path)
const visitorPages = everyPage.filter(({ isForVisitors }) => isForVisitors).map(({ path }) => path)

let dashboard: TestDashboard
let ids: FarmIds
let setupFaults: string[]
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ reducedMotion: 'reduce' })
  // Once there is an owner, no one sees this page again.
  setupFaults = await findFaultsOf('/setup', dashboard.page, 'viewer')
  await dashboard.signedIn()
  ids = await fillFarm(dashboard)
  // So that it is as far when the last one looks as when the first did.
  await dashboard.ask('POST', `/jobs/${ids.jobId}/pause`)
  await eventually(
    'the print of North 1 being paused',
    () => dashboard.ask<{ status: string }>('GET', `/jobs/${ids.jobId}`),
    ({ status }) => status === 'paused',
    60_000,
  )
  ids = { ...ids, ...(await addStates()) }
}, 300_000)
afterAll(() => dashboard?.end(), 60_000)

test.runIf(hasBrowser)('who is not signed in can enter, and nothing else', { timeout: 240_000 }, async () => {
  const { page, faults, context } = await dashboard.open({ reducedMotion: 'reduce' })
  const findings = [...setupFaults]
  for (const path of visitorPages.filter((each) => each !== '/setup')) {
    findings.push(...(await findFaultsOf(path, page, 'viewer')))
  }
  for (const path of sampleOf(memberPages, walkedOneIn)) {
    await page.goto(`${dashboard.url}${addressOf(path, ids)}`)
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  }
  expect(findings).toEqual([])
  expect(faults).toEqual([])
  await context.close()
})

const memberRoles = ['viewer', 'operator', 'admin', 'owner'] as const

test.runIf(hasBrowser).each(memberRoles)(
  'who is %s sees on every page what this role may do and nothing else, and no other route answers them',
  { timeout: 300_000 },
  async (role) => {
    const { page, faults, context, ask } = await dashboard.openAs(role, { reducedMotion: 'reduce' })
    const { user, member_id } = await ask<{ user: { email: string }; member_id: string }>('GET', '/session')
    await ask('PUT', '/profile', { name: 'You' })
    await signInElsewhere(user.email)
    const findings: string[] = []
    for (const path of sampleOf(memberPages, walkedOneIn, memberRoles.indexOf(role))) {
      findings.push(...(await findFaultsOf(path, page, role)))
    }
    expect(findings).toEqual([])

    expect(await findOpenRoutes(page, role)).toEqual([])
    expect(faults).toEqual([])
    await context.close()
    // Anyone who comes next is the only one of this name.
    await dashboard.ask('DELETE', `/members/${member_id}`)
  },
)

/** What of a page, in each of its states, is not as the table says. */
async function findFaultsOf(path: string, page: Page, role: MemberRole): Promise<string[]> {
  const findings: string[] = []
  for (const view of pageControls[path] ?? []) {
    const address = view.at ?? path
    for (const fault of await findFaultsOfView(address, view, page, role)) findings.push(`${address}: ${fault}`)
  }
  return findings
}

async function findFaultsOfView(address: string, view: View, page: Page, role: MemberRole): Promise<string[]> {
  const untilAnswered = followRequests(page)
  await page.setViewportSize(view.isOnPhone ? phone : desktop)
  await goTo(page, new URL(addressOf(address, ids ?? {}), dashboard.url))
  await untilAnswered()
  const root = page.locator(view.within ?? 'main')
  const look = async () => findControlFaults(await shownControls(page, root), view.controls, role)
  const arrivedAt = Date.now()
  let faults = await look()
  const patienceMs = () => (faults.some(isMissing) ? lateMs : leavingMs)
  while (faults.length > 0 && Date.now() < arrivedAt + patienceMs()) {
    await page.waitForTimeout(250)
    faults = await look()
  }
  return faults
}

/** Routes behind controls for others that do not refuse this person, and those behind their own that do. */
async function findOpenRoutes(page: Page, role: MemberRole): Promise<string[]> {
  const asked = callingControls.flatMap(({ who, calls, of }) => {
    const isAllowed = who.includes(role)
    // Anyone who may, does nothing here: of a thing that is not there, or with nothing said.
    if (isAllowed && (of !== undefined || who.length === 4)) return []
    const id = of === undefined ? 'nothing' : (ids[of] ?? '')
    return calls.map((route) => ({ route, isAllowed, request: requestOf(route, id) }))
  })
  const answers = await callFrom(
    page,
    asked.map(({ request }) => request),
  )
  const findings = asked.flatMap(({ route, isAllowed }, index) => {
    const isRefused = answers[index] === '403 FORBIDDEN'
    return isRefused === isAllowed ? [`${route} answers ${role} ${answers[index]}`] : []
  })
  return [...new Set(findings)]
}

interface PageRequest {
  method: string
  path: string
  body: object | undefined
}

function requestOf(route: Control['calls'][number], id: string): PageRequest {
  const [method = '', path = ''] = route.split(' ')
  // A body is read only after the role was found to be enough; of one rule the new role is a part.
  const bodies: Record<string, object> = {
    'PATCH /members/{id}': { role: 'viewer' },
    // With nothing said it queues all that is missing, and the next role would find none of it.
    'POST /production/produce': { dry_run: true },
  }
  return {
    method,
    path: `/app/v1${path.replace(/\{(?:id|itemId|idOrSlug)\}/g, id).replace('{version}', '1')}`,
    body: method === 'GET' || method === 'DELETE' ? undefined : (bodies[route] ?? {}),
  }
}

/** Calls routes, one after another, as a script in the page would, by the session that the page has. */
function callFrom(page: Page, requests: PageRequest[]): Promise<string[]> {
  return page.evaluate(async (all) => {
    const answers: string[] = []
    for (const { method, path, body } of all) {
      const answer = await fetch(path, {
        method,
        headers: {
          'if-match': '*',
          'idempotency-key': crypto.randomUUID(),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const isJson = answer.headers.get('content-type')?.startsWith('application/json')
      const { error } = (isJson ? await answer.json() : {}) as { error?: { code: string } }
      // A download is as long as the farm is large.
      if (!isJson) await answer.body?.cancel()
      answers.push(`${answer.status} ${error?.code ?? ''}`.trim())
    }
    return answers
  }, requests)
}

/** Things in the states that the demo's farm has none of. */
async function addStates(): Promise<FarmIds> {
  const { ask, addHub, url } = dashboard
  const files = await ask<{ id: string; name: string }[]>('GET', '/files?search=shelf-bracket_mk4s')
  const fileId = files[0]?.id ?? ''
  const { upload_url } = await ask<{ upload_url: string }>('POST', '/files/upload-url', { filename: 'second.gcode' })
  await fetch(new URL(upload_url, url), { method: 'PUT', body: await readFile(slicedFile) })
  await ask('POST', `/files/${fileId}/versions`, { upload_token: upload_url.split('/').at(-1) })

  const queued = await ask<{ id: string }[]>('GET', '/jobs?status=queued')
  const [cancelledJobId = '', queuedJobId = ''] = queued.map(({ id }) => id)
  await ask('POST', `/jobs/${cancelledJobId}/cancel`)
  const failedJobId = await failJob((await addHub({ speed: 5_000 })).id, fileId)

  const printers = await ask<{ id: string; name: string }[]>('GET', '/printers')
  const tendedPrinterId = printers.find(({ name }) => name === 'North 3')?.id ?? ''
  const task = { title: 'Look at the belts', task_type: 'maintenance', printer_id: tendedPrinterId }
  await ask('POST', '/worklist', task)
  const [card] = await ask<{ id: string }[]>('GET', '/work-cards?task_type=quality_check')

  const colleague = await dashboard.openAs('viewer')
  await colleague.ask('PUT', '/profile', { name: 'Colleague' })
  const { member_id: colleagueMemberId } = await colleague.ask<{ member_id: string }>('GET', '/session')
  await colleague.context.close()
  const { member_id: ownerMemberId } = await ask<{ member_id: string }>('GET', '/session')
  const link = await ask<{ url: string }>('POST', `/members/${colleagueMemberId}/reset-link`)
  const invited = await ask<{ url: string }>('POST', '/invitations', { email: 'guest@example.com', role: 'viewer' })
  return {
    ...{ queuedJobId, cancelledJobId, failedJobId, tendedPrinterId, taskId: card?.id ?? '' },
    ...{ colleagueMemberId, ownerMemberId },
    resetToken: new URL(link.url).hash.slice(1),
    invitationToken: new URL(invited.url).hash.slice(1),
  }
}

/** A job whose print fails half way, on a printer that takes no other. */
async function failJob(hubId: string, fileId: string): Promise<string> {
  const { ask } = dashboard
  const printer = { name: 'Spare 1', model: 'MK4S', location: 'Shelf', hub_id: hubId, auto_start: false }
  const { id: printerId } = await ask<{ id: string }>('POST', '/printers', {
    ...printer,
    connection_type: 'virtual',
    connection: { faults: ['print_failure'] },
  })
  const statusOf = () => ask<{ status: string | null }>('GET', `/printers/${printerId}/status`)
  await eventually('Spare 1 being idle', statusOf, ({ status }) => status === 'idle', 60_000)
  await ask('POST', `/printers/${printerId}/control`, { action: 'clear_bed' })
  const { id } = await ask<{ id: string }>('POST', '/jobs', { print_file_id: fileId, printer_id: printerId })
  await ask('POST', `/jobs/${id}/start`)
  const jobOf = () => ask<{ status: string }>('GET', `/jobs/${id}`)
  await eventually('the print on Spare 1 failing', jobOf, ({ status }) => status === 'failed', 90_000)
  return id
}

/** Another session of the same person. */
async function signInElsewhere(email: string): Promise<void> {
  const answer = await fetch(`${dashboard.url}/app/v1/sign-in`, {
    method: 'POST',
    headers: { origin: dashboard.url, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: owner.password }),
  })
  expect(answer.status).toBe(200)
}
