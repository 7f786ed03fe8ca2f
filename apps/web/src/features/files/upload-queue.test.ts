import { expect, test, vi } from 'vitest'
import { createUploadQueue } from './upload-queue.ts'

const file = (name: string) => new File(['x'], name)

/** A queue whose files arrive when the test says so. */
function controlledQueue() {
  const sent = new Map<string, { finish: () => void; fail: (error: Error) => void; tell: (percent: number) => void }>()
  const queue = createUploadQueue<string>({
    send: ({ name }, { signal, onProgress }) =>
      new Promise((resolve, reject) => {
        sent.set(name, { finish: () => resolve(name), fail: reject, tell: onProgress })
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  })
  const states = () => queue.list().map(({ name, state }) => `${name} ${state}`)
  return { queue, sent, states }
}

test('three files are on their way at a time, and the next one follows when one has arrived', async () => {
  const { queue, sent, states } = controlledQueue()
  queue.add(['a', 'b', 'c', 'd'].map(file))
  expect(states()).toEqual(['a sending', 'b sending', 'c sending', 'd waiting'])
  sent.get('b')?.finish()
  await vi.waitFor(() => expect(states()).toEqual(['a sending', 'b done', 'c sending', 'd sending']))
})

test('a file that failed says why, and is sent again when asked', async () => {
  const { queue, sent, states } = controlledQueue()
  queue.add([file('a')])
  sent.get('a')?.tell(40)
  expect(queue.list()[0]).toMatchObject({ progress: 40, state: 'sending' })
  sent.get('a')?.fail(new Error('no print file'))
  await vi.waitFor(() => expect(states()).toEqual(['a failed']))
  expect(queue.list()[0]?.error).toEqual(new Error('no print file'))
  queue.retry(queue.list()[0]?.key ?? 0)
  expect(states()).toEqual(['a sending'])
  sent.get('a')?.finish()
  await vi.waitFor(() => expect(states()).toEqual(['a done']))
})

test('another file takes the place of one that failed', async () => {
  const { queue, sent, states } = controlledQueue()
  queue.add([file('bad'), file('b')])
  sent.get('bad')?.fail(new Error('no print file'))
  await vi.waitFor(() => expect(states()).toEqual(['bad failed', 'b sending']))
  queue.replace(queue.list()[0]?.key ?? 0, file('good'))
  expect(states()).toEqual(['good sending', 'b sending'])
  expect(queue.list()[0]?.error).toBeUndefined()
  sent.get('good')?.finish()
  await vi.waitFor(() => expect(states()).toEqual(['good done', 'b sending']))
})

test('what is cancelled is sent no further, waiting or on its way', async () => {
  const { queue, states } = controlledQueue()
  queue.add(['a', 'b', 'c', 'd'].map(file))
  queue.cancel(4)
  queue.cancel(1)
  await vi.waitFor(() => expect(states()).toEqual(['a cancelled', 'b sending', 'c sending', 'd cancelled']))
  queue.clear()
  expect(states()).toEqual(['b sending', 'c sending'])
})
