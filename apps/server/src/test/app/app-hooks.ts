import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createTestFarm, type TestFarm } from '../farm/test-farm.ts'
import { createTestApp, type TestAccount, type TestApp } from './test-app.ts'

// What these answer is the same object for all tests of a file; hooks fill it before a test reads it.

type AppOptions = Parameters<typeof createTestApp>[0]

/** One application for the tests of this file. */
export function appForAllTests(options?: AppOptions): TestApp {
  const t = {} as TestApp
  beforeAll(async () => {
    Object.assign(t, await createTestApp(options))
  })
  afterAll(() => t.close())
  return t
}

/** One application for the tests of this file, and for each of them an account of its own. */
export function accountForEachTest(options?: AppOptions): { t: TestApp; account: TestAccount } {
  const t = appForAllTests(options)
  const account = {} as TestAccount
  beforeEach(async () => {
    Object.assign(account, await t.account())
  })
  return { t, account }
}

/** One application with one account for the tests of this file. */
export function accountForAllTests(options?: AppOptions): { t: TestApp; account: TestAccount } {
  const t = appForAllTests(options)
  const account = {} as TestAccount
  beforeAll(async () => {
    Object.assign(account, await t.account())
  })
  return { t, account }
}

/**
 * One application for the tests of this file, and for each of them a farm of its own.
 * @param hubNow as for `createTestFarm`
 */
export function farmForEachTest(options?: AppOptions, hubNow?: () => Date): { t: TestApp; farm: TestFarm } {
  const t = appForAllTests(options)
  const farm = {} as TestFarm
  beforeEach(async () => {
    await createTestFarm(t, hubNow, farm)
    return () => farm.hub.close()
  })
  return { t, farm }
}

/** One application with one farm for the tests of this file. */
export function farmForAllTests(options?: AppOptions): { t: TestApp; farm: TestFarm } {
  const t = appForAllTests(options)
  const farm = {} as TestFarm
  beforeAll(async () => {
    await createTestFarm(t, undefined, farm)
  })
  afterAll(() => farm.hub.close())
  return { t, farm }
}
