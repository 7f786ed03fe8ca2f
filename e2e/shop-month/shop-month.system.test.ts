import { expect, test } from 'vitest'
import { startTestFarm } from '../test/test-farm.ts'
import { runShopMonth } from './shop-month.ts'

test('four days of a shop with 25 orders: every balance is right, every order leaves, and nothing is made twice', async () => {
  const farm = await startTestFarm({ isHere: true, settings: { PRINTYARD_RATE_LIMIT_PER_MINUTE: '10000000' } })
  try {
    if (!farm.db) throw new Error('the database of the test is not shared')
    const { wrong, figures, balance } = await runShopMonth('netted', {
      seed: 2,
      orders: 25,
      days: 4,
      printers: 8,
      speed: 28_800,
      serviceUrl: farm.service.url,
      sql: farm.db.sql,
      path: farm.path,
      say: () => undefined,
    })
    expect(wrong).toEqual([])
    expect(balance).toHaveLength(40)
    expect(figures.ordersShipped + figures.ordersCancelled).toBeGreaterThanOrEqual(25)
    expect(figures.platesPrinted).toBeGreaterThan(0)
  } finally {
    await farm.end()
  }
}, 240_000)
