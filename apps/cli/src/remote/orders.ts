import type { Printyard } from '@printyard/sdk/client'
import type { ListOrdersData } from '@printyard/sdk/generated/api.generated'
import type { Answer } from '../answer.ts'
import { CommandError } from '../command-error.ts'
import { type ConfirmedOptions, confirm } from './confirmation.ts'
import { type RemoteOptions, withServer } from './connection.ts'
import { type ListOptions, pageOf, readRows } from './listing.ts'
import { formatOrder, formatOrders, formatProduction } from './tables.ts'

type OrderStatus = NonNullable<NonNullable<ListOrdersData['query']>['status']>

export interface ListOrdersOptions extends ListOptions {
  status?: OrderStatus
  atRisk?: boolean
}

export async function listOrders(options: ListOrdersOptions): Promise<Answer> {
  const filter = {
    ...(options.status && { status: options.status }),
    ...(options.atRisk === true && { at_risk: true }),
  }
  const orders = await withServer(options, (printyard) =>
    readRows(printyard.orders.list({ ...pageOf(options), ...filter }), options),
  )
  return { document: orders, text: formatOrders(orders) }
}

export async function showOrder(order: string, options: RemoteOptions): Promise<Answer> {
  const found = await withServer(options, async (printyard) =>
    printyard.orders.get(await findOrderId(printyard, order)),
  )
  return { document: found, text: formatOrder(found) }
}

/** Queues what an order lacks. */
export async function produceOrder(order: string, options: RemoteOptions & ConfirmedOptions): Promise<Answer> {
  const production = await withServer(options, async (printyard) => {
    const id = await findOrderId(printyard, order)
    await confirm(`Queue what order ${order} lacks? Printers that start by themselves may print at once.`, options)
    return printyard.orders.produce(id)
  })
  return { document: production, text: formatProduction(production) }
}

/** ID of an order that is given by ID or by its number. */
async function findOrderId(printyard: Printyard, given: string): Promise<string> {
  if (given.startsWith('ord_')) return given
  const matches = await printyard.orders.list({ search: given, limit: 100 }).all()
  const numbered = matches.filter(({ order_number }) => order_number === given)
  if (numbered.length === 1) return numbered[0]!.id
  if (numbered.length === 0) throw new CommandError(`No order has the number ${given}.`)
  throw new CommandError(`${numbered.length} orders have the number ${given}; give the ID of one.`)
}
