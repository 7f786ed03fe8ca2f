import { expect, test } from 'vitest'
import { storageProblem } from './hub-health.ts'

const MB = 1024 * 1024

test.each([
  [10_000 * MB, false, undefined],
  [200 * MB, false, undefined],
  [199 * MB, false, 'hub_storage_low'],
  [2 * MB, false, 'hub_storage_low'],
  [0, false, 'hub_storage_full'],
  [10_000 * MB, true, 'hub_storage_full'],
])('%d bytes of room, with a journal that fails: %s, are %s', (freeBytes, isFailing, reason) => {
  expect(storageProblem(freeBytes, isFailing)?.reason).toBe(reason)
})
