import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import { makeTryLimiter } from '../../../http/rate-limit.ts'
import type { App } from '../../../http/types.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { readId } from '../../../kernel/ids.ts'
import { openIfReadable } from '../../../kernel/secret-box.ts'
import { connectorOf } from '../connectors/connectors.ts'
import type { ShopSettings } from '../connectors/contract/connector.ts'
import { findShopOfHook, wakeShop } from '../settings/shops.queries.ts'

/** Webhooks that one client address may send per minute: one of a sale day comes for each change of each order. */
const hooksPerMinute = 600

/** An order with all that plugins add to it. */
const longestHookBytes = 4 * 1024 * 1024

/**
 * The door for webhooks of shops. What comes is taken for no more than a word that something has changed: the shop is read, soon. So a
 * webhook that comes twice, late, in another order or not at all makes no difference but of time.
 */
export function shopHookRoutes(app: App, context: Context): void {
  const countTry = makeTryLimiter(context.limits, 'shop-hook', hooksPerMinute)
  const shops = new WeakMap<FastifyRequest, ShopOfHook>()
  void app.register(async (plugin) => {
    const routes = plugin as App
    // The signature is of the bytes as they came.
    routes.removeAllContentTypeParsers()
    routes.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: longestHookBytes },
      async (_request: unknown, body: Buffer) => body,
    )
    routes.post(
      '/shop-hooks/:id',
      {
        config: { credential: 'none' },
        bodyLimit: longestHookBytes,
        onRequest: async (incoming) => {
          await countTry(incoming.ip)
          // Who does not know the ID of a shop has no body read.
          shops.set(incoming, await getShopOfHook(context, incoming))
        },
        schema: { hide: true },
      },
      async (request) => {
        const row = shops.get(request)
        if (!row) throw notFound('shop')
        const opened = openIfReadable(context.secrets, row.settings_sealed, row.id)
        if (opened === undefined) throw new AppError('UNAUTHORIZED')
        // Sealed by `sealSettings` alone, for this shop: the tag tells.
        const settings = opened.value as ShopSettings
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const hook = connectorOf(row.platform).readHook({ settings }, { headers: request.headers, body })
        if (hook.kind === 'refused') throw new AppError('UNAUTHORIZED')
        if (hook.kind === 'changed') {
          const { externalId } = hook
          await wakeShop(context.db.sql, row.account_id, row.id, { externalId, now: context.clock.now() })
        }
        return { success: true }
      },
    )
  })
}

type ShopOfHook = NonNullable<Awaited<ReturnType<typeof findShopOfHook>>>

/** @throws AppError `NOT_FOUND` */
async function getShopOfHook({ db }: Context, { params }: FastifyRequest): Promise<ShopOfHook> {
  const shopId = readId('shop', (params as { id: string }).id)
  const row = shopId && (await findShopOfHook(db.sql, shopId))
  if (!row) throw notFound('shop')
  return row
}
