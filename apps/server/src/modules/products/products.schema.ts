import Type, { type Static } from 'typebox'
import { nullable, pageQuery, request, resource, text, timestamp } from '../../http/schema.ts'
import type { SkuRow } from '../skus/skus.queries.ts'
import { presentSku, Sku } from '../skus/skus.schema.ts'
import type { ProductRow } from './products.queries.ts'

const name = text(1, 200, 'Name, unique in the account')
const optionalFields = {
  description: Type.Optional(text(0, 5000, 'What it is, for people')),
  category: Type.Optional(text(0, 100, 'Category; empty for none')),
  requires_assembly: Type.Optional(
    Type.Boolean({ description: 'Printed pieces wait for assembly before they are ready' }),
  ),
  requires_post_processing: Type.Optional(Type.Boolean({ description: 'Printed pieces need work such as sanding' })),
}

export const NewProductBody = request({ name, ...optionalFields })
export type NewProduct = Static<typeof NewProductBody>

export const ProductChangesBody = request(
  {
    name: Type.Optional(name),
    ...optionalFields,
    is_active: Type.Optional(Type.Boolean({ description: 'Whether it is offered' })),
  },
  { minProperties: 1 },
)
export type ProductChanges = Static<typeof ProductChangesBody>

export const ProductsQuery = request({
  ...pageQuery,
  search: Type.Optional(text(1, 120, 'Part of the name, in any case')),
  category: Type.Optional(text(1, 100, 'Only products of exactly this category')),
  is_active: Type.Optional(Type.Boolean({ description: 'Only products that are offered, or only those that are not' })),
})
export type ProductFilter = Static<typeof ProductsQuery>

export const Product = resource('Product', {
  id: Type.String({ description: 'ID of the product' }),
  name: Type.String({ description: 'Name, unique in the account' }),
  description: Type.String({ description: 'What it is, for people; empty for none' }),
  category: Type.String({ description: 'Category; empty for none' }),
  requires_assembly: Type.Boolean({ description: 'Printed pieces wait for assembly before they are ready' }),
  requires_post_processing: Type.Boolean({ description: 'Printed pieces need work such as sanding' }),
  image_url: nullable(Type.String({ description: 'Address of the first image; null when there is none' })),
  is_active: Type.Boolean({ description: 'Whether it is offered' }),
  created_at: timestamp('When the product was created'),
  updated_at: timestamp('When the product last changed; its SKUs have times of their own'),
  skus: Type.Array(Sku, { description: 'Its SKUs in the order in which they were made' }),
})

export function presentProduct(product: ProductRow, skus: SkuRow[]): Static<typeof Product> {
  return {
    id: product.id,
    name: product.name,
    description: product.description,
    category: product.category,
    requires_assembly: product.requires_assembly,
    requires_post_processing: product.requires_post_processing,
    image_url: null,
    is_active: product.is_active,
    created_at: product.created_at.toISOString(),
    updated_at: product.updated_at.toISOString(),
    skus: skus.map(presentSku),
  }
}

/** Products with those of `skus` that are theirs. */
export function presentProducts(products: ProductRow[], skus: SkuRow[]): Static<typeof Product>[] {
  const skusOf = Map.groupBy(skus, (sku) => sku.product_id)
  return products.map((product) => presentProduct(product, skusOf.get(product.id) ?? []))
}
