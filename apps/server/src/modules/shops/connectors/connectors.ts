import type { Connector } from './contract/connector.ts'
import { etsy } from './etsy/etsy.ts'
import { shopify } from './shopify/shopify.ts'
import { wooCommerce } from './woocommerce/woocommerce.ts'

/** Shops that can be connected. */
export const connectedPlatforms = ['woocommerce', 'shopify', 'etsy'] as const
type ConnectedPlatform = (typeof connectedPlatforms)[number]

const connectors: Record<ConnectedPlatform, Connector> = { woocommerce: wooCommerce, shopify, etsy }

/** The connector of a platform. @throws Error for one that has none */
export function connectorOf(platform: string): Connector {
  const known = connectedPlatforms.find((each) => each === platform)
  if (!known) throw new Error(`shops of ${platform} cannot be connected`)
  return connectors[known]
}
