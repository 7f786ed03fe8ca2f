import type { CostSettingsChange } from '@printyard/server/modules/costs/settings/cost-settings.schema'

/** What the demo farm sells, and what it has to sell with. Nothing here is a real shop, person or address. */

/** Spools on the shelf and on printers, by the printer's name and its place for them. What a printer shows is what was loaded last. */
export const demoSpools = [
  { ...spool('PLA', 'Orange', '#F26B21', 640), printer: 'North 1', slot: 0 },
  { ...spool('PLA', 'Orange', '#F26B21', 410), printer: 'North 2', slot: 0 },
  { ...spool('PETG', 'Black', '#1A1A1A', 180), printer: 'North 3', slot: 0 },
  { ...spool('PLA', 'Grey', '#8A8D8F', 760), printer: 'North 4', slot: 0 },
  { ...spool('PLA', 'Yellow', '#F2C200', 520), printer: 'South 1', slot: 1 },
  { ...spool('PLA', 'Black', '#111111', 300), printer: 'South 1', slot: 0 },
  { ...spool('PLA', 'Blue', '#1F5FA8', 870), printer: 'South 2', slot: 0 },
  { ...spool('PLA', 'Blue', '#1F5FA8', 930), printer: 'South 3', slot: 0 },
  { ...spool('PLA', 'Green', '#2E8B57', 450), printer: 'South 4', slot: 0 },
  { ...spool('PETG', 'Black', '#1A1A1A', 1000), printer: null, slot: 0 },
] as const

function spool(type: string, color: string, hex_code: string, remaining_grams: number) {
  return { type, color, hex_code, brand: 'Prusament', remaining_grams }
}

/** Packaging beside the carton of the kit. The last one is used up by the first parcels. */
export const demoPackaging = [
  { name: 'Padded bag', type: 'bag', size: '250 × 350 mm', remaining_units: 140, low_threshold: 40 },
  { name: 'Sign sleeve', type: 'sleeve', size: '220 × 160 mm', remaining_units: 1, low_threshold: 5 },
] as const

/** Shelf of each SKU, the least number that lies there, and what one unit is shipped in. */
export const demoShelves = [
  { sku: 'BRACKET-ORANGE', bin: 'A-01', units: 6, packaging: 'Padded bag' },
  { sku: 'BRACKETS-GREY', bin: 'A-02', units: 4, packaging: null },
  { sku: 'CLIPS-BLUE', bin: 'B-01', units: 12, packaging: 'Padded bag' },
  { sku: 'HOOK-GREEN', bin: 'B-02', units: 5, packaging: null },
  { sku: 'SIGN-BLACK', bin: 'C-01', units: 2, packaging: 'Sign sleeve' },
] as const

/** What is kept on the shelf: filled up to the second number from the first one down. */
export const demoLevels = [
  { sku: 'BRACKET-ORANGE', restock_point: 6, restock_to: 12, auto_produce: false },
  { sku: 'CABLEBOX-BLACK', restock_point: 2, restock_to: 6, auto_produce: false },
  { sku: 'BRACKETS-GREY', restock_point: 2, restock_to: 8, auto_produce: false },
  { sku: 'SIGN-BLACK', restock_point: 3, restock_to: 6, auto_produce: false },
  { sku: 'CLIPS-BLUE', restock_point: 8, restock_to: 24, auto_produce: false },
  { sku: 'HOOK-GREEN', restock_point: 6, restock_to: 10, auto_produce: true },
  { sku: 'DESKSET-BLACK', restock_point: 1, restock_to: 3, auto_produce: false },
] as const

/** Article on how the kit is put together, shown where it is. */
export const demoKitArticle = {
  sku: 'DESKSET-BLACK',
  article: {
    title: 'Putting the desk set together',
    category: 'Assembly',
    excerpt: 'A cable box, two packs of clips, and what holds them.',
    difficulty: 'easy',
    estimated_time_minutes: 4,
    tools_required: ['Scale'],
    tags: ['kit'],
    content: 'Fetch all parts **before** you begin: what is missing stands in red beside them.',
    sections: [
      {
        type: 'step',
        number: 1,
        title: 'Look at the box',
        content: 'The lid must close without force. A box that is *warped* is a reject.',
      },
      {
        type: 'step',
        number: 2,
        title: 'Count screws and plugs',
        content: 'Four of each into the small bag:\n\n- screws 3 × 20\n- wall plugs 6',
        warnings: ['Weigh the bag: 14 g, or something is missing.'],
      },
      { type: 'step', number: 3, title: 'Close the carton', content: 'Clips on top, then the label.' },
      { type: 'note', title: 'Personalised sets', content: 'The wish of the customer stands beside the count.' },
    ],
  },
} as const

/** A kit with parts of its own, one of which is printed by a file of the farm: that of the SKU. */
export const demoRail = { name: 'Coat rail', hook: 'HOOK-GREEN' } as const

export const demoPartKit = (fileId: string, plugId: string, bagId: string) => ({
  name: demoRail.name,
  description: 'Three hooks on a rail, with plugs for the wall.',
  category: 'Home',
  variants: [{ sku: 'RAIL-GREEN', color: 'Green', filament_type: 'PLA', hex_code: '#2E8B57', low_stock_threshold: 1 }],
  parts: [
    { name: 'Hook', quantity_per_kit: 3, print_file_id: fileId },
    {
      name: 'Rail',
      quantity_per_kit: 1,
      fixed_color: 'Black',
      components: [{ inventory_item_id: plugId, quantity_required: 2, notes: 'One at each end' }],
    },
  ],
  bundle_extras: [{ inventory_item_id: bagId, quantity_required: 1 }],
})

export const demoCustomers = [
  {
    customer_name: 'A. Example',
    shipping_street: '12 Example Street',
    shipping_city: 'Springfield',
    shipping_zip: '00001',
  },
  { customer_name: 'B. Example', shipping_street: '3 Sample Road', shipping_city: 'Rivertown', shipping_zip: '00002' },
  { customer_name: 'C. Example', shipping_street: '7 Test Lane', shipping_city: 'Lakeside', shipping_zip: '00003' },
] as const

/** An order, with the days since it was placed and until it is to leave. */
interface DemoOrder {
  platform: 'shopify' | 'woocommerce'
  external_id: string
  order_number: string
  daysAgo: number
  daysLeft: number
  priority?: 'high' | 'urgent'
  shipping_cost: number
  items: Record<string, unknown>[]
}

export const demoOrders: readonly DemoOrder[] = [
  {
    platform: 'shopify',
    external_id: '5001',
    order_number: '#1001',
    daysAgo: 6,
    daysLeft: -2,
    shipping_cost: 490,
    items: [
      { sku: 'CLIPS-BLUE', quantity: 2, unit_price: 390 },
      { sku: 'SIGN-BLACK', quantity: 1, unit_price: 1490 },
    ],
  },
  {
    platform: 'woocommerce',
    external_id: '77',
    order_number: '77',
    daysAgo: 2,
    daysLeft: 1,
    shipping_cost: 0,
    items: [
      { sku: 'BRACKET-ORANGE', quantity: 4, unit_price: 690 },
      { sku: 'CLIPS-BLUE', quantity: 4, unit_price: 350 },
    ],
  },
  {
    platform: 'shopify',
    external_id: '5002',
    order_number: '#1002',
    daysAgo: 0,
    daysLeft: 2,
    priority: 'high',
    shipping_cost: 490,
    items: [
      { sku: 'RAIL-GREEN', quantity: 2, unit_price: 3990 },
      { sku: 'DESKSET-BLACK', quantity: 1, unit_price: 3190 },
    ],
  },
]

/** The order that left before the farm is looked at, and of which a unit came back. */
export const demoShipped = '#1001'

/** What the farm pays for what it uses, in euros. */
export const demoPrices: CostSettingsChange = {
  machine_hour_price: '0.45',
  watts: 110,
  energy_price: '0.31',
  labour_hour_price: '22',
  plate_labour_seconds: 90,
  assembly_labour_seconds: 240,
  order_labour_seconds: 240,
  models: [{ model: 'P1S', machine_hour_price: '0.55', watts: 140 }],
  filaments: [
    { filament_type: 'PLA', price: '21.90' },
    { filament_type: 'PETG', price: '24.50' },
    { filament_type: 'ASA', price: '29' },
    { filament_type: 'TPU', price: '34' },
  ],
  platform_fees: [
    { platform: 'shopify', percent: '2.9', fixed: '0.30' },
    { platform: 'etsy', percent: '6.5', fixed: '0.30' },
    { platform: 'woocommerce', percent: '1.5', fixed: '0.25' },
  ],
}

/** A piece of what it buys. The sign sleeve has none: what is not known is worth seeing, too. */
export const demoUnitPrices: Readonly<Record<string, string>> = {
  'Screw 3 × 20': '0.02',
  'Wall plug 6': '0.04',
  'Carton M': '0.65',
  'Padded bag': '0.22',
}
