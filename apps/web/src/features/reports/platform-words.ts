import { t } from '../../lib/i18n/t.ts'

const platformWords: Readonly<Record<string, string>> = {
  shopify: 'Shopify',
  etsy: 'Etsy',
  woocommerce: 'WooCommerce',
  manual: t('By hand'),
  other: t('Other'),
}

/** A platform as people call it; one that is not known by its own name. */
export const platformWord = (platform: string): string => platformWords[platform] ?? platform
