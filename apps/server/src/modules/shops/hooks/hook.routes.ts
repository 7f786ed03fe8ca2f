import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import { makeTryLimiter } from '../../../http/rate-limit.ts'
import { endSoon } from '../../../http/request/end-soon.ts'
import type { App } from '../../../http/types.ts'
import { clientNetwork } from '../../../kernel/client-network.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { readId, type ShopId } from '../../../kernel/ids.ts'
import { openIfReadable } from '../../../kernel/secret-box.ts'
import { connectorOf } from '../connectors/connectors.ts'
import type { ShopSettings } from '../connectors/contract/connector.ts'
import { findShopOfHook, wakeShop } from '../settings/shops.queries.ts'
import { HookBodies } from './hook-bodies.ts'

/** Webhooks that one client address may send per minute: one of a sale day comes for each change of each order. */
const hooksPerMinute = 600

/** Webhooks with a wrong signature that one client address may send to one shop per minute. */
const refusedPerMinute = 60

const makeBodies = () => new HookBodies()

/**
 * The door for webhooks of shops. What comes is taken for no more than a word that something has changed: the shop is read, soon. So a
 * webhook that comes twice, late, in another order or not at all makes no difference but of time.
 */
export function shopHookRoutes(app: App, context: Context): void {
  const countTry = makeTryLimiter(context.limits, 'shop-hook', hooksPerMinute)
  const refusals = makeRefusals(context)
  const bodies = context.memory.hold(makeBodies, undefined)
  const received = new WeakMap<FastifyRequest, { shop: ShopOfHook; endBody?: () => void }>()
  void app.register(async (plugin) => {
    const routes = plugin as App
    // The signature is of the bytes as they came.
    routes.removeAllContentTypeParsers()
    routes.addContentTypeParser('*', async (request: FastifyRequest, content: IncomingMessage) => {
      try {
        const { body, end } = await bodies.read(clientNetwork(request.ip), content)
        const hook = received.get(request)
        if (hook) hook.endBody = end
        return body
      } catch (error) {
        endSoon(content)
        throw error
      }
    })
    routes.post(
      '/shop-hooks/:id',
      {
        config: { credential: 'none' },
        onRequest: async (incoming, reply) => {
          await countTry(incoming.ip)
          // Who does not know the ID of a shop has no body read, nor has who signed wrongly again and again.
          const shop = await getShopOfHook(context, incoming)
          await refusals.refuseIfExhausted(shop.id, incoming.ip)
          received.set(incoming, { shop })
          reply.raw.once('close', () => received.get(incoming)?.endBody?.())
        },
        schema: { hide: true },
      },
      async (request) => {
        const row = received.get(request)?.shop
        if (!row) throw notFound('shop')
        const opened = openIfReadable(context.secrets, row.settings_sealed, row.id)
        if (opened === undefined) throw new AppError('UNAUTHORIZED')
        // Sealed by `sealSettings` alone, for this shop: the tag tells.
        const settings = opened.value as ShopSettings
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const hook = connectorOf(row.platform).readHook({ settings }, { headers: request.headers, body })
        if (hook.kind === 'refused') {
          await refusals.record(row.id, request.ip)
          throw new AppError('UNAUTHORIZED')
        }
        if (hook.kind === 'changed') {
          const { externalId } = hook
          await wakeShop(context.db.sql, row.account_id, row.id, { externalId, now: context.clock.now() })
        }
        return { success: true }
      },
    )
  })
}

/** Counts wrong signatures by shop and client network: shops of others may send from the same addresses. */
function makeRefusals({ limits }: Pick<Context, 'limits'>) {
  const counter = limits.counter({ name: 'shop-hook-refused', points: refusedPerMinute, seconds: 60 })
  const keyOf = (shopId: ShopId, address: string) => `${shopId} ${clientNetwork(address)}`
  return {
    async record(shopId: ShopId, address: string): Promise<void> {
      await counter.penalty(keyOf(shopId, address))
    },
    /** @throws AppError `RATE_LIMITED` */
    async refuseIfExhausted(shopId: ShopId, address: string): Promise<void> {
      const state = await counter.get(keyOf(shopId, address))
      if (!state || state.consumedPoints < refusedPerMinute) return
      const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000))
      throw new AppError('RATE_LIMITED', { seconds }, { retryAfterSeconds: seconds })
    },
  }
}

type ShopOfHook = NonNullable<Awaited<ReturnType<typeof findShopOfHook>>>

/** @throws AppError `NOT_FOUND` */
async function getShopOfHook({ db }: Context, { params }: FastifyRequest): Promise<ShopOfHook> {
  const shopId = readId('shop', (params as { id: string }).id)
  const row = shopId && (await findShopOfHook(db.sql, shopId))
  if (!row) throw notFound('shop')
  return row
}
