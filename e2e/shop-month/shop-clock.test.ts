import { expect, test } from 'vitest'
import { mostLeadSeconds, openClock } from './shop-clock.ts'

const speed = 14_400

function clockOf() {
  let realMs = Date.UTC(2026, 0, 1)
  const clock = openClock(speed, () => realMs)
  const pass = (ms: number) => {
    realMs += ms
  }
  return { clock, pass, real: () => realMs }
}

/** Work that is done when it is told to be. */
function openWork() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: () => promise, finish: resolve }
}

test('it runs as fast as it was told while all keep up with it', async () => {
  const { clock, pass } = clockOf()
  for (let round = 1; round <= 10; round += 1) {
    const { work, finish } = openWork()
    const done = clock.keepUpWith(work)
    pass(500)
    finish()
    await done
    expect(clock.now()).toBe(round * 0.5 * speed)
  }
})

test('it stands still for work that takes long, and goes on from there', async () => {
  const { clock, pass } = clockOf()
  const slow = openWork()
  const quick = openWork()
  const slowDone = clock.keepUpWith(slow.work)
  pass(500)
  const quickDone = clock.keepUpWith(quick.work)
  pass(60_000)
  expect(clock.now()).toBe(mostLeadSeconds)
  quick.finish()
  await quickDone
  pass(60_000)
  slow.finish()
  await slowDone
  expect(clock.now()).toBe(mostLeadSeconds)
  pass(1_000)
  expect(clock.now()).toBe(mostLeadSeconds + speed)
})

test('work that fails holds it no longer than work that is done', async () => {
  const { clock, pass } = clockOf()
  await expect(clock.keepUpWith(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  pass(10_000)
  expect(clock.now()).toBe(10 * speed)
})

test('the date of a moment is its real time, and moves on with a clock that stood still', async () => {
  const { clock, pass, real } = clockOf()
  const day = 86_400
  expect(clock.dateOf(day).getTime()).toBe(real() + 6_000)
  const { work, finish } = openWork()
  const done = clock.keepUpWith(work)
  pass(60_000)
  finish()
  await done
  const left = day - mostLeadSeconds
  expect(clock.dateOf(day).getTime()).toBe(real() + (left / speed) * 1_000)
})
