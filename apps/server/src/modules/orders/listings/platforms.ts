/** Platforms where orders are placed. */
export const platforms = ['shopify', 'etsy', 'woocommerce', 'manual', 'other'] as const
export type Platform = (typeof platforms)[number]
