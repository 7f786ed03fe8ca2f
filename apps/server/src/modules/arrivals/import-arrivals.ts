import { makeValidatorCompiler } from '../../http/request/validation.ts'
import { AppError, type FieldErrors, validationError } from '../../kernel/errors.ts'
import { derivedId, type SkuId } from '../../kernel/ids.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { adjustStock } from '../catalogue/inventory/inventory.service.ts'
import { lockItemOfSku } from '../catalogue/inventory/stock-ledger.ts'
import { type NewProduct, NewProductBody } from '../catalogue/products/products.schema.ts'
import { createProduct } from '../catalogue/products/products.service.ts'
import { type NewSku, NewSkuBody } from '../catalogue/skus/skus.schema.ts'
import { createSku } from '../catalogue/skus/skus.service.ts'
import { type Work, workIn } from '../events/work.ts'
import { type MaterialInput, newMaterialBody } from '../materials/materials.schema.ts'
import { addMaterial } from '../materials/materials.service.ts'
import { readCount } from '../orders/import/amounts.ts'
import { connectionIdentity } from '../printers/connection/connection-identity.ts'
import { CreatePrinterBody } from '../printers/settings/printers.schema.ts'
import { addPrinter } from '../printers/settings/printers.service.ts'
import {
  findKnownPrinter,
  findProductByName,
  findSkuByCode,
  hasMovements,
  isMaterialThere,
} from './arrivals.queries.ts'
import type { Arrivals, Draft, PrinterDraft, SkuDraft, SpoolDraft } from './sources/drafts.ts'

/** Outcome of a thing of another program. */
export interface ArrivalResult {
  from: string
  kind: 'printer' | 'product' | 'spool' | 'other'
  name: string
  outcome: 'created' | 'exists' | 'skipped' | 'refused'
  /** ID of what was made, or was there. */
  id: string | null
  /** Reason why it was skipped or refused, or what is to be known of it. */
  notes: string[]
}

type Settled = Pick<ArrivalResult, 'outcome' | 'id' | 'notes'>

const compile = makeValidatorCompiler()
const checkers = {
  printer: compile({ schema: CreatePrinterBody, httpPart: 'body' }),
  product: compile({ schema: NewProductBody, httpPart: 'body' }),
  sku: compile({ schema: NewSkuBody, httpPart: 'body' }),
  spool: compile({ schema: newMaterialBody('filament'), httpPart: 'body' }),
}

/**
 * Makes what another program has and what is not here yet, each thing whole or not at all. What is here already is left alone, so that
 * the same can be sent again. `work` is rolled back by the caller for a dry run. `onProgress` is told how many drafts are done.
 */
export async function importArrivals(
  context: { secrets: SecretBox },
  work: Work,
  { source, drafts }: Arrivals,
  onProgress: (done: number) => void = () => undefined,
): Promise<ArrivalResult[]> {
  const results: ArrivalResult[] = []
  for (const draft of drafts) {
    const kind = draft.kind === 'left_out' ? 'other' : draft.kind
    results.push({ from: draft.from, kind, name: draft.name, ...(await settle(context, work, source, draft)) })
    onProgress(results.length)
  }
  return results
}

async function settle(context: { secrets: SecretBox }, work: Work, source: string, draft: Draft): Promise<Settled> {
  if (draft.kind === 'left_out') return { outcome: 'skipped', id: null, notes: [draft.reason] }
  const { accountId, actor, now } = work
  try {
    return await work.sql.savepoint((sql) => {
      const part = workIn(sql, { accountId, actor, now })
      switch (draft.kind) {
        case 'printer':
          return settlePrinter(context, part, draft)
        case 'product':
          return settleSku(part, draft)
        case 'spool':
          return settleSpool(part, source, draft)
      }
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { outcome: 'refused', id: null, notes: sentencesOf(error) }
  }
}

async function settlePrinter(context: { secrets: SecretBox }, work: Work, { body }: PrinterDraft): Promise<Settled> {
  const printer = checked<CreatePrinterBody>('printer', body)
  const { connection = {}, connection_type, name } = printer
  const identity = connectionIdentity(connection_type, connection)
  const known = await findKnownPrinter(work.sql, work.accountId, { name, connection_type, ...identity })
  if (known !== undefined) {
    const notes = known.name === name ? [] : [`is here as ${known.name}: it has the same address or serial`]
    return { outcome: 'exists', id: known.id, notes }
  }
  const { id } = await addPrinter(context, work, printer)
  return { outcome: 'created', id, notes: [] }
}

async function settleSku(work: Work, { product, sku, readyStock }: SkuDraft): Promise<Settled> {
  const { sql, accountId } = work
  if (product === undefined) {
    const known = sku && (await findSkuByCode(sql, accountId, sku.sku))
    if (known === undefined) throw validationError({ sku: ['names no SKU of this account'] })
    const note = await bookFirstStock(work, known.id, readyStock)
    return { outcome: note === undefined ? 'created' : 'exists', id: known.id, notes: note === undefined ? [] : [note] }
  }
  const wanted = checked<NewProduct>('product', product)
  const existing = await findProductByName(sql, accountId, wanted.name)
  const productId = existing?.id ?? (await createProduct(work, wanted)).id
  if (sku === undefined) return { outcome: existing === undefined ? 'created' : 'exists', id: productId, notes: [] }
  const body = checked<NewSku>('sku', { ...sku, product_id: productId })
  const known = await findSkuByCode(sql, accountId, body.sku)
  if (known !== undefined && known.product_id !== productId) {
    throw validationError({ sku: [`is that of the product ${known.product_name}`] })
  }
  const { id } = known ?? (await createSku(work, body))
  const note = await bookFirstStock(work, id, readyStock)
  const isSame = known !== undefined && note !== undefined
  return { outcome: isSame ? 'exists' : 'created', id, notes: known !== undefined || note === undefined ? [] : [note] }
}

/** Books units on the shelf as the first movement. Undefined when booked; else why not. */
async function bookFirstStock(work: Work, skuId: SkuId, text: string | undefined): Promise<string | undefined> {
  if (text === undefined || text === '') return 'has no stock to book'
  const units = readCount(text)
  if ('problem' in units) throw validationError({ ready_stock: [units.problem] })
  const item = await lockItemOfSku(work.sql, work.accountId, skuId)
  if (item === undefined) return 'has no inventory item'
  if (units.value === 0) return 'has no stock to book'
  if (await hasMovements(work.sql, work.accountId, item.id)) {
    return `has movements already, and ${item.ready_stock} units: its stock is left alone`
  }
  await adjustStock(work, item.id, { adjustment: units.value, reason: 'inventory_count', notes: 'Imported' })
  return undefined
}

async function settleSpool(work: Work, source: string, { body, sourceId }: SpoolDraft): Promise<Settled> {
  const spool = checked<MaterialInput>('spool', body)
  const id = derivedId('material', `${work.accountId} ${source} ${sourceId}`)
  if (await isMaterialThere(work.sql, work.accountId, id)) return { outcome: 'exists', id, notes: [] }
  await addMaterial(work, 'filament', spool, id)
  return { outcome: 'created', id, notes: [] }
}

/** A body by the rules of the request that would make the same. @throws AppError `VALIDATION_ERROR` */
function checked<T>(kind: keyof typeof checkers, body: Record<string, unknown>): T {
  // Fields that are undefined are not there, as in JSON.
  const result = checkers[kind](JSON.parse(JSON.stringify(body)))
  if ('error' in result) throw result.error
  return result.value as T
}

function sentencesOf(error: AppError): string[] {
  if (error.code !== 'VALIDATION_ERROR') return [error.message]
  const fields = (error.details ?? {}) as FieldErrors
  return Object.entries(fields).flatMap(([field, messages]) =>
    messages.map((message) => (field === '_root' ? message : `${field} ${message}`)),
  )
}
