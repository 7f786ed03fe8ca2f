import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { FilamentSpool, OrderSummary, Printer, StockedItem } from '../../lib/api/api-schema.generated.ts'
import { formatGrams } from '../../lib/format.ts'
import { t, tc } from '../../lib/i18n/t.ts'
import type { ThingKind } from '../../lib/things.ts'
import type { LabelItem } from './label-items.ts'
import { orderLabel } from './order-label.ts'

/** What is printed on a label, and shown of a thing that has no page yet. */
export interface Thing extends LabelItem {
  name: string
  /** A second line; empty for none. */
  detail: string
}

type Printed<Row, Field extends keyof Row> = Pick<Row, Field | ('id' & keyof Row)>

const words = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(' · ')

const printerThing = ({ id, name, model, location }: Printed<Printer, 'name' | 'model' | 'location'>): Thing => ({
  ...{ kind: 'printer', id, name },
  detail: words(location, model),
})
const spoolThing = (spool: FilamentSpool): Thing => ({
  ...{ kind: 'spool', id: spool.id },
  name: [spool.brand, spool.type, spool.color].filter(Boolean).join(' ') || t('Spool'),
  detail: words(spool.diameter === null ? '' : t('{diameter} mm', { diameter: spool.diameter }), spool.location),
})
const binThing = ({ id, sku, color, material, bin }: StockedItem): Thing => ({
  ...{ kind: 'bin', id, name: sku },
  detail: words(bin, material, color),
})
const orderThing = (order: Pick<OrderSummary, 'id' | 'order_number' | 'platform' | 'external_id'>): Thing => ({
  ...{ kind: 'order', id: order.id },
  ...orderLabel(order),
})

const readers: Record<ThingKind, (id: string, signal: AbortSignal) => Promise<Thing>> = {
  printer: async (id, signal) => printerThing(await api.call('GET /printers/{id}', { params: { id }, signal })),
  spool: async (id, signal) => spoolThing(await api.call('GET /materials/filament/{id}', { params: { id }, signal })),
  bin: async (id, signal) => binThing(await api.call('GET /inventory/{id}', { params: { id }, signal })),
  order: async (id, signal) => orderThing(await api.call('GET /orders/{id}', { params: { id }, signal })),
}

export const thingQuery = ({ kind, id }: LabelItem) =>
  queryOptions({
    queryKey: ['labels', 'thing', id],
    queryFn: ({ signal }) => readers[kind](id, signal),
    staleTime: 60_000,
  })

const mostListed = 100

const lists: Record<ThingKind, (search: string, signal: AbortSignal) => Promise<Thing[]>> = {
  async printer(search, signal) {
    const query = { limit: mostListed, ...(search !== '' && { search }) }
    return (await api.call('GET /printers', { query, signal })).map(printerThing)
  },
  async spool(search, signal) {
    const rows = await api.call('GET /materials/filament', { query: { limit: mostListed }, signal })
    return rows.map(spoolThing).filter(matches(search))
  },
  async bin(search, signal) {
    const rows = await api.call('GET /inventory', { query: { limit: mostListed }, signal })
    return rows.map(binThing).filter(matches(search))
  },
  async order(search, signal) {
    const rows = await api.call('GET /orders', { query: { limit: mostListed }, signal })
    return rows.map(orderThing).filter(matches(search))
  },
}

const matches = (search: string) => {
  const wanted = search.toLowerCase()
  return ({ name, detail, id }: Thing) => `${name} ${detail} ${id}`.toLowerCase().includes(wanted)
}

/** The first hundred of a kind that match. Each is known from then on, so that its label needs no request of its own. */
export const thingListQuery = (kind: ThingKind, search: string, queryClient: QueryClient) =>
  queryOptions({
    queryKey: ['labels', 'list', kind, search],
    queryFn: async ({ signal }) => {
      const things = await lists[kind](search, signal)
      for (const thing of things) queryClient.setQueryData(thingQuery(thing).queryKey, thing)
      return things
    },
  })

/** What is known of a spool, a bin or an order, for the page that its label opens. */
export const thingFactsQuery = ({ kind, id }: LabelItem) =>
  queryOptions({ queryKey: ['labels', 'facts', id], queryFn: ({ signal }) => facts[kind](id, signal) })

type Fact = readonly [label: string, value: string]

const facts: Record<ThingKind, (id: string, signal: AbortSignal) => Promise<{ thing: Thing; facts: Fact[] }>> = {
  printer: async (id, signal) => ({ thing: await readers.printer(id, signal), facts: [] }),
  async spool(id, signal) {
    const spool = await api.call('GET /materials/filament/{id}', { params: { id }, signal })
    return {
      thing: spoolThing(spool),
      facts: [
        [t('Left on it'), formatGrams(spool.remaining_grams)],
        [t('State'), { in_stock: t('In stock'), low: tc('stock', 'Low'), out_of_stock: t('Empty') }[spool.status]],
        [t('Place'), spool.location || t('Not known')],
        [t('Loaded'), spool.printer_id === null ? t('In no printer') : t('In a printer')],
      ],
    }
  },
  async bin(id, signal) {
    const item = await api.call('GET /inventory/{id}', { params: { id }, signal })
    const state = {
      in_stock: t('In stock'),
      low_stock: tc('stock', 'Low'),
      out_of_stock: t('None left'),
      needs_assembly: t('Needs assembly'),
    }
    return {
      thing: binThing(item),
      facts: [
        [t('Ready'), String(item.ready_stock)],
        [t('State'), state[item.status]],
      ],
    }
  },
  async order(id, signal) {
    const order = await api.call('GET /orders/{id}', { params: { id }, signal })
    return {
      thing: orderThing(order),
      facts: [
        [t('State'), order.status],
        ...order.items.map(
          (item): Fact => [
            item.sku,
            t('{product_name}: {quantity_fulfilled} of {quantity} fulfilled', {
              product_name: item.product_name,
              quantity_fulfilled: item.quantity_fulfilled,
              quantity: item.quantity,
            }),
          ],
        ),
      ],
    }
  },
}
