import { expect, test } from 'vitest'
import { createTestApp } from './test/app/test-app.ts'

test('the application is built, and made ready, without a statement: its database may still be starting', async () => {
  let statements = 0
  const t = await createTestApp({
    beforeStatement() {
      statements += 1
    },
  })
  try {
    expect(statements).toBe(0)
    expect((await t.app.inject('/app/v1/setup')).statusCode).toBe(200)
    expect(statements).toBeGreaterThan(0)
  } finally {
    await t.close()
  }
})
