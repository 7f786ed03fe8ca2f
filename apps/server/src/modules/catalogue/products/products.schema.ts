import Type, { type Static } from 'typebox'
import type { PageFilter } from '../../../db/page-bounds.ts'
import { clearableText, idOf, nullable, pageQuery, request, resource, text, timestamp } from '../../../http/schema.ts'
import type { ProductId } from '../../../kernel/ids.ts'
import type { ImageRow } from '../images/product-images.queries.ts'
import { ProductImage, presentImage } from '../images/product-images.schema.ts'
import type { ComponentOfProduct, KitRows } from '../kits/kits.queries.ts'
import { nullableKit, ProductComponent, presentKit, presentProductComponent } from '../kits/kits.schema.ts'
import type { SkuRow } from '../skus/skus.queries.ts'
import { presentSku, Sku } from '../skus/skus.schema.ts'
import type { ProductRow } from './products.queries.ts'

const name = text(1, 200, 'Name, unique in the account')
const optionalFields = {
  description: Type.Optional(clearableText(5000, 'Description, for people; null or empty: none')),
  category: Type.Optional(clearableText(100, 'Category; null or empty: none')),
  requires_assembly: Type.Optional(
    Type.Boolean({ description: 'Printed pieces wait for assembly before they are ready' }),
  ),
  requires_post_processing: Type.Optional(Type.Boolean({ description: 'Printed pieces need work such as sanding' })),
  wiki_id: Type.Optional(
    nullable(idOf('wikiArticle', 'The article that goes with it when it is assembled; null: the one that names it')),
  ),
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
export type ProductFilter = PageFilter<Static<typeof ProductsQuery>>

export const Product = resource('Product', 'A product with its SKUs', {
  id: Type.String({ description: 'ID of the product' }),
  name: Type.String({ description: 'Name, unique in the account' }),
  description: Type.String({ description: 'Description, for people; empty for none' }),
  category: Type.String({ description: 'Category; empty for none' }),
  requires_assembly: Type.Boolean({ description: 'Printed pieces wait for assembly before they are ready' }),
  requires_post_processing: Type.Boolean({ description: 'Printed pieces need work such as sanding' }),
  image_url: nullable(Type.String({ description: 'Address of the first image; null when there is none' })),
  images: Type.Array(ProductImage, { description: 'Its images in their order' }),
  wiki_id: nullable(
    Type.String({
      description: 'The article that goes with it; null: the one that names it, if there is one',
      examples: ['wik_01kaxq3v7m2e8h5t9w4c6y0b1d'],
    }),
  ),
  is_active: Type.Boolean({ description: 'Whether it is offered' }),
  created_at: timestamp('Time at which the product was created'),
  updated_at: timestamp('Time at which the product last changed; its SKUs have times of their own'),
  skus: Type.Array(Sku, {
    description: 'Its SKUs in the order in which they were made; the parts of a kit stand in `kit`',
  }),
  components: Type.Array(ProductComponent, {
    description: 'Components that the bills of materials of its SKUs name, each once',
  }),
  kit: nullableKit,
})

export const ProductCategory = resource('ProductCategory', 'A category and how many products it has', {
  category: Type.String({ description: 'The category, as the products spell it' }),
  product_count: Type.Integer({ description: 'Products in it, in use or not' }),
})

export const RemovedProduct = resource('RemovedProduct', 'The product that is gone, or out of use', {
  id: Type.String({ description: 'ID of the product' }),
  deleted: Type.Boolean({ description: 'False when it stays out of use, because records name it or its SKUs' }),
})

/** What a product shows of other tables, and where the service is reached. */
export interface AroundProducts {
  skus: SkuRow[]
  images: ImageRow[]
  kits: Map<ProductId, KitRows>
  components: ComponentOfProduct[]
  baseUrl: string
}

/** `skus`, `images` and `components` are those of this product. */
export function presentProduct(
  product: ProductRow,
  { skus, images, kits, components, baseUrl }: AroundProducts,
): Static<typeof Product> {
  const kit = kits.get(product.id)
  const shown = images.map((image) => presentImage(image, baseUrl))
  return {
    id: product.id,
    name: product.name,
    description: product.description,
    category: product.category,
    requires_assembly: product.requires_assembly,
    requires_post_processing: product.requires_post_processing,
    image_url: shown[0]?.url ?? null,
    images: shown,
    wiki_id: product.wiki_id,
    is_active: product.is_active,
    created_at: product.created_at.toISOString(),
    updated_at: product.updated_at.toISOString(),
    skus: skus.map(presentSku),
    components: components.map(presentProductComponent),
    kit: kit === undefined ? null : presentKit(kit, skus),
  }
}

/** Products, each with those of `skus`, `images` and `components` that are its own. */
export function presentProducts(
  products: ProductRow[],
  { skus, images, kits, components, baseUrl }: AroundProducts,
): Static<typeof Product>[] {
  const skusOf = Map.groupBy(skus, (sku) => sku.product_id)
  const imagesOf = Map.groupBy(images, (image) => image.product_id)
  const componentsOf = Map.groupBy(components, (component) => component.product_id)
  return products.map((product) =>
    presentProduct(product, {
      skus: skusOf.get(product.id) ?? [],
      images: imagesOf.get(product.id) ?? [],
      components: componentsOf.get(product.id) ?? [],
      kits,
      baseUrl,
    }),
  )
}
