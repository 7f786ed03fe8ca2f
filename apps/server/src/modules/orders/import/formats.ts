import type { Platform } from '../listings/platforms.ts'
import { etsyFormat } from './etsy.ts'
import { ownFormat } from './own.ts'
import type { Cells } from './row-reader.ts'
import { shopifyFormat } from './shopify.ts'
import { wooCommerceFormat } from './woocommerce.ts'

export const formatNames = ['printyard', 'shopify', 'etsy', 'woocommerce'] as const
export type FormatName = (typeof formatNames)[number]

/** What one row says of its order, in our words; texts as they stand in the file. */
export interface RowOfOrder {
  /** Rows of one order have the same. */
  key: string
  /** The fields of the order; those that are empty are left out. */
  order: Partial<Record<OrderField, string>>
  /** The line that the row is about; undefined for a row about the order alone. */
  item?: Partial<Record<ItemField, string>> & { personalisation?: { name: string; value: string }[] }
  /** The shop waits for the money. */
  isUnpaid?: boolean
  /** Reason why the order is not to be taken: it is over in its shop already. */
  isOver?: string
}

export type OrderField =
  | 'order_number'
  | 'external_id'
  | 'order_date'
  | 'ship_by'
  | 'currency'
  | 'priority'
  | 'customer_name'
  | 'customer_email'
  | 'customer_phone'
  | 'shipping_street'
  | 'shipping_city'
  | 'shipping_state'
  | 'shipping_zip'
  | 'shipping_country'
  | 'shipping_cost'
  | 'tax_amount'
  | 'discount_amount'
  | 'total_revenue'
  | 'notes'

export type ItemField =
  | 'sku'
  | 'listing_id'
  | 'variation'
  | 'product_name'
  | 'quantity'
  | 'unit_price'
  | 'notes'
  | 'discount_amount'

/** Reader of the orders of one kind of export. */
export interface ImportFormat {
  platform: Platform
  /** Columns without which a file is not of this format, in lower case. */
  needs: readonly string[]
  /** People write it: rows of one order that contradict each other, and columns that stand twice, are mistakes. No shop makes them. */
  isWrittenByHand?: true
  /** True when a column, in lower case, is read: of the form that people write, where one that is not may be misspelled. */
  knows?(column: string): boolean
  /** Answers why a file with this header, which may look like one of this format, is none. */
  refuse?(columns: ReadonlySet<string>): string | undefined
  readRow(cells: Cells): RowOfOrder
}

export const formats: Record<FormatName, ImportFormat> = {
  printyard: ownFormat,
  shopify: shopifyFormat,
  etsy: etsyFormat,
  woocommerce: wooCommerceFormat,
}
