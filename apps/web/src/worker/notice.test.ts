import { describe, expect, it } from 'vitest'
import { readNotice, sameOriginPath, tabFor, targetOf } from './notice.ts'

const origin = 'https://farm.example'
const notice = (payload: unknown) => readNotice(JSON.stringify(payload), origin)

describe('what is pushed', () => {
  it('becomes a notification with its page and its buttons', () => {
    const actions = [{ action: 'clear', title: 'Plate is clear', url: '/worklist?task=task_1' }]
    const { title, options } = notice({
      ...{ title: 'North 1 is done', body: 'shelf-bracket', url: '/printers/prn_1', tag: 'prn_1', urgency: 'high' },
      ...{ image: '/app/v1/files/file_1/thumbnail', actions },
    })
    expect(title).toBe('North 1 is done')
    expect(options).toMatchObject({
      ...{ body: 'shelf-bracket', tag: 'prn_1', renotify: true, requireInteraction: true, silent: false },
      image: '/app/v1/files/file_1/thumbnail',
      actions: [{ action: 'clear', title: 'Plate is clear' }],
      data: { path: '/printers/prn_1', actions: { clear: '/worklist?task=task_1' } },
    })
  })

  it('of little urgency makes no sound and goes by itself', () => {
    const { options } = notice({ title: 'Backup done', tag: 'backup', urgency: 'low' })
    expect(options).toMatchObject({ silent: true, renotify: false, requireInteraction: false })
  })

  it.each(['', 'no JSON', '[]', 'null', '{}', '{"title":7,"actions":{"a":1}}'])('%j is still shown', (text) => {
    const { title, options } = readNotice(text, origin)
    expect([title, options.body, options.data.path]).toEqual(['Printyard', 'Something happened on the farm.', '/'])
  })

  it('leads to this service alone', () => {
    const foreign = 'https://elsewhere.example/printers'
    const actions = [
      { action: 'foreign', title: 'Go', url: foreign },
      { action: 'script', title: 'Go', url: 'javascript:alert(1)' },
      { action: 'own', title: 'Go', url: `${origin}/queue#top` },
    ]
    const { options } = notice({ title: 'x', url: foreign, image: foreign, actions })
    expect(options.data).toEqual({ path: '/', actions: { own: '/queue#top' } })
    expect(options.actions).toEqual([{ action: 'own', title: 'Go' }])
    expect(options.image).toBeUndefined()
  })
})

it.each([
  ['//elsewhere.example/a', undefined],
  ['\\\\elsewhere.example', undefined],
  ['http://farm.example/a', undefined],
  ['data:text/html,x', undefined],
  ['http://[', undefined],
  ['queue', '/queue'],
  [undefined, undefined],
])('the path of %s on this service is %s', (url, path) => {
  expect(sameOriginPath(url, origin)).toBe(path)
})

it('a click leads to the page of its button, else to that of the notification', () => {
  const data = { path: '/queue', actions: { clear: '/worklist', bad: '//elsewhere.example' } }
  const targets = ['clear', '', 'unknown', 'bad', 'constructor'].map((action) => targetOf(data, action, origin))
  expect(targets).toEqual(['/worklist', '/queue', '/queue', '/queue', '/queue'])
  expect(targetOf(undefined, '', origin)).toBe('/')
})

describe('the tab that a click brings to the front', () => {
  const tab = (path: string, state: 'focused' | 'visible' | 'hidden') => ({
    url: origin + path,
    focused: state === 'focused',
    visibilityState: state === 'hidden' ? 'hidden' : 'visible',
  })
  const hidden = tab('/files', 'hidden')
  const visible = tab('/printers', 'visible')
  const focused = tab('/queue', 'focused')
  const wall = tab('/printers/wall', 'focused')

  it.each([
    ['shows the page already', '/files', [focused, visible, hidden], hidden],
    ['is in use', '/worklist', [hidden, visible, focused], focused],
    ['is seen', '/worklist', [hidden, visible], visible],
    ['is there', '/worklist', [wall, hidden], hidden],
    ['is none, where there is only a wall display', '/worklist', [wall], undefined],
    ['is none, where nothing is open', '/worklist', [], undefined],
  ])('%s', (_, path, tabs, expected) => {
    expect(tabFor(path, tabs)).toBe(expected)
  })
})
