/** A thing that another program has, as it was read: not checked yet. */
export type Draft = PrinterDraft | SkuDraft | SpoolDraft | LeftOutDraft

interface Place {
  /** Place where it was read, for a person: `row 3`, `printer 2`. */
  from: string
  /** Name there. */
  name: string
}

/** A printer with the body of `POST /printers`. */
export interface PrinterDraft extends Place {
  kind: 'printer'
  body: Record<string, unknown>
}

/** A SKU with its product, made where there is none of this name; or the stock of a SKU that is there. */
export interface SkuDraft extends Place {
  kind: 'product'
  /** The body of `POST /products`; undefined for a row about the stock alone. */
  product: Record<string, unknown> | undefined
  /** The body of `POST /skus` without the product; undefined for a product without SKUs. */
  sku: ({ sku: string } & Record<string, unknown>) | undefined
  /** Units on the shelf, as they were written. */
  readyStock: string | undefined
}

/** A spool with the body of `POST /materials/filament`. */
export interface SpoolDraft extends Place {
  kind: 'spool'
  /** ID in the other program. */
  sourceId: string
  body: Record<string, unknown>
}

/** What is not taken, and why. */
interface LeftOutDraft extends Place {
  kind: 'left_out'
  reason: string
}

/** What was read of another program. */
export interface Arrivals {
  /** What it is, for IDs that are the same whenever it is read: `spoolman`. */
  source: string
  drafts: Draft[]
}

/** A file or an answer of another program that cannot be read at all; the message says where. */
export class UnreadableSourceError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnreadableSourceError'
  }
}
