import { expect } from 'vitest'
import type { TestAccount } from '../app/test-app.ts'

let made = 0

/** Adds a product through the API, by default one of a new name; answers its data. */
export async function addProduct(account: TestAccount, fields: Record<string, unknown> = {}) {
  made += 1
  const answer = await account.request('POST', '/products', { name: `Product ${made}`, ...fields })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}

/** Adds a SKU through the API, by default of a new product; answers its data. */
export async function addSku(account: TestAccount, fields: Record<string, unknown> = {}) {
  made += 1
  const productId = fields.product_id ?? (await addProduct(account)).id
  const answer = await account.request('POST', '/skus', { sku: `SKU-${made}`, ...fields, product_id: productId })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}

/** The inventory item of a SKU, as the API shows it. */
export async function itemOf(account: TestAccount, sku: { sku: string }) {
  const answer = await account.request('GET', `/inventory?sku=${encodeURIComponent(sku.sku)}`)
  expect(answer.json().data).toHaveLength(1)
  return answer.json().data[0]
}

/** Adds a material through the API; answers its data. */
export async function addMaterial(
  account: TestAccount,
  kind: 'filament' | 'components' | 'packaging',
  fields: Record<string, unknown>,
) {
  const answer = await account.request('POST', `/materials/${kind}`, fields)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}

/** Corrects the ready stock of a SKU to this. */
export async function setStock(account: TestAccount, sku: { sku: string }, ready: number): Promise<void> {
  const item = await itemOf(account, sku)
  const adjustment = ready - item.ready_stock
  if (adjustment === 0) return
  const body = { adjustment, reason: 'inventory_count' }
  const answer = await account.request('POST', `/inventory/${item.id}/adjust`, body)
  expect(answer.statusCode, answer.body).toBe(200)
}
