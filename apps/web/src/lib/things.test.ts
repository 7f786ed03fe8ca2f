import { expect, test } from 'vitest'
import { pageOf } from './things.ts'

test.each([
  ['sku_1', '/skus/sku_1'],
  ['inv_1', '/stock/inv_1'],
  ['whk_1', '/settings/webhooks/whk_1'],
  ['job_a/b', '/jobs/job_a%2Fb'],
  ['mat_1', undefined],
  ['usr_1', undefined],
  ['text', undefined],
  ['', undefined],
])('the page of %s is %s', (id, page) => {
  expect(pageOf(id)).toBe(page)
})
