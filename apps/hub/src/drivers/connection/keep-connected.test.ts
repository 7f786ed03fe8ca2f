import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DriverError } from '../driver.ts'
import { CredentialsRefusedError, keepConnected } from './keep-connected.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** How often it is tried within so many minutes when every try ends like this. */
async function triesWithin(minutes: number, connect: (isUp: () => void) => Promise<void>): Promise<number> {
  const stopping = new AbortController()
  const reasons: unknown[] = []
  let tries = 0
  const running = keepConnected({
    signal: stopping.signal,
    waitFactor: 1,
    onDown: (error) => void reasons.push(error),
    connect(_signal, isUp) {
      tries += 1
      return connect(isUp)
    },
  })
  await vi.advanceTimersByTimeAsync(minutes * 60_000)
  stopping.abort()
  await running
  expect(reasons).toHaveLength(tries)
  return tries
}

const unreachable = () => Promise.reject(new DriverError('UNREACHABLE', 'nothing there'))

test('refused credentials are tried again every five minutes, and not sooner: some printers lock out', async () => {
  const refused = () => Promise.reject(new CredentialsRefusedError('credentials refused'))
  expect(await triesWithin(4, refused)).toBe(1)
  expect(await triesWithin(21, refused)).toBe(5)
})

test('a printer that is away is looked for ever more seldom, but each minute at least', async () => {
  const tries = await triesWithin(30, unreachable)
  expect(tries).toBeGreaterThanOrEqual(30)
  expect(tries).toBeLessThan(100)
})

test('after a connection that worked the next try comes soon', async () => {
  expect(
    await triesWithin(1, async (isUp) => {
      isUp()
      await unreachable()
    }),
  ).toBeGreaterThan(20)
})
