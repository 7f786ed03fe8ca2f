import { expect, test } from 'vitest'
import type { Context } from '../../../context/context.ts'
import { systemClock } from '../../../kernel/clock.ts'
import { Memory } from '../../../kernel/memory.ts'
import { openShop } from './open-shop.ts'
import { sealSettings } from './shop-secrets.ts'

// Sealing gives other bytes each time, as the real one does.
let sealings = 0
const secrets = {
  seal(value: unknown): Buffer {
    sealings += 1
    return Buffer.from(JSON.stringify({ value, sealings }))
  },
  open: (sealed: Buffer) => (JSON.parse(sealed.toString()) as { value: unknown }).value,
}

const makeContext = () =>
  ({ memory: new Memory(), secrets, clock: systemClock, config: { outboundNetworks: '' } }) as unknown as Context

function row(id: string, settings: Record<string, string>) {
  const settings_sealed = sealSettings(secrets, id, { webhook_secret: 'w', ...settings })
  const rest = { account_id: 'acc_1', url: 'https://shop.example', personalisation_names: [] }
  return { ...rest, id, platform: 'shopify', settings_sealed } as unknown as Parameters<typeof openShop>[1]
}

test('what a shop has given is kept as long as what was entered of it stays, and for that shop alone', () => {
  const context = makeContext()
  const [shop, other] = [row('shp_1', { client_id: 'a' }), row('shp_2', { client_id: 'a' })]
  openShop(context, shop).client.kept.set('token', 'of the first keys')
  expect(openShop(context, shop).client.kept.get('token')).toBe('of the first keys')
  expect(openShop(context, other).client.kept.size).toBe(0)

  const changed = row('shp_1', { client_id: 'b' })
  expect(openShop(context, changed).client.kept.size).toBe(0)
  openShop(context, changed).client.kept.set('token', 'of the others')
  expect(openShop(context, changed).client.kept.get('token')).toBe('of the others')
  // Nothing of the former keys comes back with them.
  expect(openShop(context, shop).client.kept.size).toBe(0)
})
