import type { OrderId, PrinterId, ProductId, SkuId, TaskId } from '../../../kernel/ids.ts'
import type { Severity } from '../message/message.ts'
import type { Kind } from './kinds.ts'

/** Something that people may be told of. */
export interface Occurrence {
  /** The kind by which it is shown first. A silent hub is a task of its own kind and needs a person as well. */
  kinds: readonly [Kind, ...Kind[]]
  severity: Severity
  /** What it is about. What lasts is told once until it ends, or becomes more severe. */
  subject: string
  lasts: boolean
  title: string
  body: string
  /** The page of the dashboard about it. */
  path: string
  printerId: PrinterId | null
  location: string | null
  productId: ProductId | null
  skuId: SkuId | null
  orderId: OrderId | null
  taskId: TaskId | null
}

/** End of something, by its subjects. */
export interface Ended {
  ends: readonly string[]
}
