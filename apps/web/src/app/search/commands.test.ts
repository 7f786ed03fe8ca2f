import { expect, test } from 'vitest'
import { commandsOf, matchCommands } from './commands.ts'
import { entriesOf } from './entries.ts'

const owner = commandsOf({ role: 'owner', scopes: ['read', 'write', 'control'] })
const viewer = commandsOf({ role: 'viewer', scopes: ['read'] })
const labels = (entries: readonly { label: string }[]) => entries.map(({ label }) => label)

test('each role is offered what it may do, and its pages', () => {
  expect(labels(owner.actions)).toEqual(expect.arrayContaining(['Add printer', 'Queue a job', 'Make an API key']))
  expect(labels(viewer.actions)).toEqual([
    'Map order lines to SKUs',
    'Look into failures',
    'Open the wall display',
    'Scan a label',
    'Be notified on this device',
    'Change password',
  ])
  expect(labels(owner.pages)).toContain('Audit log')
  expect(labels(viewer.pages)).not.toContain('Audit log')
})

test('a command is found by the beginnings of its words in any order, and by other names of it', () => {
  const find = (text: string) => labels(matchCommands([...owner.actions, ...owner.pages], text))
  expect(find('print add')).toEqual(['Add printer', 'Upload print files'])
  expect(find('NEW machine')).toEqual(['Add printer'])
  expect(find('web')).toEqual(['Webhooks', 'Add a webhook'])
  expect(find('settings aud')).toEqual(['Audit log'])
  expect(find('rinter')).toEqual([])
})

test('a hit leads to its page, with the words of its status; where there is more, to the list', () => {
  const hit = { id: 'job_1/', title: 'Bracket', detail: 'Black', status: 'processing' }
  const [jobs, people] = entriesOf(
    [
      { kind: 'job', hits: [hit], has_more: true },
      { kind: 'person', hits: [{ id: 'mem_1', title: 'Ann', detail: 'a@b.c', status: 'viewer' }], has_more: true },
    ],
    'bra & ck',
  )
  expect(jobs?.entries).toEqual([
    expect.objectContaining({ label: 'Bracket', detail: 'Starting · Black', href: '/jobs/job_1%2F' }),
    expect.objectContaining({ label: 'More in the queue', href: '/queue?search=bra+%26+ck' }),
  ])
  expect(people?.entries).toEqual([
    expect.objectContaining({ label: 'Ann', detail: 'viewer · a@b.c', href: '/settings/members' }),
  ])
})

test('a kind with a thing that is called just as was typed comes first', () => {
  const hit = { id: 'x_1', title: 'Order for BR-1', detail: '', status: null }
  const groups = entriesOf(
    [
      { kind: 'product', hits: [hit], has_more: false },
      { kind: 'file', hits: [hit], has_more: false },
      { kind: 'sku', hits: [{ ...hit, title: 'BR-1' }], has_more: false },
    ],
    'br-1',
  )
  expect(labels(groups)).toEqual(['SKUs', 'Products', 'Files'])
})
