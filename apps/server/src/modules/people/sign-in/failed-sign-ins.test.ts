import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { UserId } from '../../../kernel/ids.ts'
import { createFailedSignIns } from './failed-sign-ins.ts'

const first = 'usr_1' as UserId
const second = 'usr_2' as UserId

const quarterHourMs = 15 * 60 * 1000

function setUp() {
  let now = Date.parse('2026-05-04T10:00:00Z')
  let isBroken = false
  const written: [string, number][] = []
  const failed = createFailedSignIns(
    { now: () => new Date(now) },
    pino({ level: 'silent' }),
    async (userId, attempts) => {
      if (isBroken) throw new Error('the database is away')
      written.push([userId, attempts])
    },
  )
  return {
    failed,
    written,
    wait(ms: number) {
      now += ms
    },
    breakDatabase(broken: boolean) {
      isBroken = broken
    },
  }
}

test('the first wrong guess is written at once, those of the next quarter of an hour together', async () => {
  const { failed, written, wait } = setUp()
  for (let guess = 0; guess < 40; guess += 1) failed.record(first)
  await failed.sweep()
  expect(written).toEqual([['usr_1', 1]])
  wait(quarterHourMs)
  await failed.sweep()
  expect(written).toEqual([
    ['usr_1', 1],
    ['usr_1', 39],
  ])
})

test('a person who guesses for hours makes one event a quarter of an hour, and none is left out of the count', async () => {
  const { failed, written, wait } = setUp()
  for (let minute = 0; minute < 180; minute += 1) {
    failed.record(first)
    await failed.sweep()
    wait(60_000)
  }
  expect(written).toHaveLength(12)
  await failed.close()
  expect(written.reduce((sum, [, attempts]) => sum + attempts, 0)).toBe(180)
})

test('people are counted apart', async () => {
  const { failed, written } = setUp()
  failed.record(first)
  failed.record(second)
  await failed.sweep()
  expect(written).toEqual([
    ['usr_1', 1],
    ['usr_2', 1],
  ])
})

test('what could not be written is written with the next', async () => {
  const { failed, written, wait, breakDatabase } = setUp()
  breakDatabase(true)
  failed.record(first)
  await failed.sweep()
  breakDatabase(false)
  wait(quarterHourMs)
  failed.record(first)
  await failed.sweep()
  expect(written).toEqual([['usr_1', 2]])
})
