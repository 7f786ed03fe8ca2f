import { expect, test } from 'vitest'
import { createHostResolver } from './resolve-host.ts'

test.each(['erp.invalid', 'invalid', 'ERP.Invalid.'])('%s is not asked for anywhere', async (name) => {
  for (const isLocal of [true, false]) {
    await expect(createHostResolver(isLocal)(name)).rejects.toMatchObject({ code: 'ENOTFOUND' })
  }
})

test('names of this machine are found where local networks are allowed', async () => {
  const addresses = await createHostResolver(true)('localhost')
  expect(addresses.map(({ address }) => address)).toContain('127.0.0.1')
})
