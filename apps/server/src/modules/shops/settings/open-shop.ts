import { createHash } from 'node:crypto'
import type { Context } from '../../../context/context.ts'
import type { ShopRow } from '../../../db/rows.generated.ts'
import { openSender } from '../../outbound/open-sender.ts'
import type { Sender } from '../../outbound/send-request.ts'
import { connectorOf } from '../connectors/connectors.ts'
import type { ConnectedShop, Connector } from '../connectors/contract/connector.ts'
import { createShopClient, type ShopClient } from '../connectors/contract/shop-client.ts'
import { ShopProblem } from '../connectors/contract/shop-problem.ts'
import { openSettings } from './shop-secrets.ts'
import { makeTokenKeeper } from './shop-tokens.ts'

/** Answers what calls the shops of this service. */
export function senderOf(context: Context): Sender {
  return context.memory.hold(makeSender, context)
}

function makeSender(context: Context): Sender {
  return openSender(context, 'Printyard-Shops', context.config.outboundNetworks)
}

/** Per shop and what was entered of it: other keys are given another token. */
function keptOf(context: Context, { id, settings_sealed }: ShopToCall): Map<string, string> {
  const all = context.memory.hold(makeKept, undefined)
  const key = createHash('sha256').update(settings_sealed).digest('base64')
  const known = all.get(id)
  if (known?.key === key) return known.kept
  const kept = new Map<string, string>()
  all.set(id, { key, kept })
  return kept
}

function makeKept(): Map<string, { key: string; kept: Map<string, string> }> {
  return new Map()
}

type ShopToCall = Pick<ShopRow, 'account_id' | 'id' | 'platform' | 'url' | 'settings_sealed' | 'personalisation_names'>

/** A shop with what its calls go by. */
export interface OpenedShop {
  connector: Connector
  client: ShopClient
  shop: ConnectedShop
}

/** @throws ShopProblem when what was entered cannot be opened */
export function openShop(context: Context, row: ShopToCall, signal?: AbortSignal): OpenedShop {
  const settings = (() => {
    try {
      return openSettings(context.secrets, row.id, row.settings_sealed)
    } catch (error) {
      context.log.error({ err: error, shop_id: row.id }, 'the settings of a shop cannot be opened')
      throw new ShopProblem('credentials', 'The stored credentials of the shop cannot be decrypted: enter them again.')
    }
  })()
  return {
    connector: connectorOf(row.platform),
    client: createShopClient(senderOf(context), context.clock, {
      secrets: Object.values(settings),
      kept: keptOf(context, row),
      tokens: makeTokenKeeper(context, row),
      signal,
    }),
    shop: { url: row.url, settings, personalisationNames: row.personalisation_names },
  }
}
