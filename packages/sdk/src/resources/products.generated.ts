// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, List, Query, RequestOptions } from '../request.ts'

/** Operations on products. */
export class Products {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List products with their SKUs and images, the newest first.
   *
   * Each with all its variants and their stock, so that one call fills a catalogue.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listProducts`.
   */
  list(query?: Query<api.ListProductsData>, options?: RequestOptions): List<api.ListProductsResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/products', query, options })
  }

  /**
   * Add a product.
   *
   * It has no SKUs yet: add the SKUs, which are the units that are sold and stocked.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createProduct`.
   */
  create(body: Body<api.CreateProductData>, options?: RequestOptions): Call<api.CreateProductResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/products', json: body, options })
  }

  /**
   * List the categories of products by name.
   *
   * Categories of at least one product, in use or not, with the number of their products.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getProductCategories`.
   */
  getCategories(options?: RequestOptions): Call<api.GetProductCategoriesResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/products/categories', options })
  }

  /**
   * Add a kit: a product that is put together from parts.
   *
   * In one step: the product, a SKU for each variant, a SKU for each part in each colour that variants need, and their bills of materials. A part with a `fixed_color` has it in all variants; any other has the colour of the variant. A failure leaves nothing behind.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createProductKit`.
   */
  createKit(body: Body<api.CreateProductKitData>, options?: RequestOptions): Call<api.CreateProductKitResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/products/kit', json: body, options })
  }

  /**
   * Get a product with its SKUs and images.
   *
   * The SKUs stand in the order in which they were made; the first image stands for the product.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getProduct`.
   */
  get(id: string, options?: RequestOptions): Call<api.GetProductResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/products/${encodeURIComponent(id)}`, options })
  }

  /**
   * Change a product.
   *
   * Fields that are left out stay as they are.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updateProduct`.
   */
  update(id: string, body: Body<api.UpdateProductData>, options?: RequestOptions): Call<api.UpdateProductResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/products/${encodeURIComponent(id)}`, json: body, options })
  }

  /**
   * Delete a product with its SKUs.
   *
   * Refused while anything open needs one of them. When records name it (orders, jobs, movements of stock) it stays, out of use: `deleted` is false then.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deleteProduct`.
   */
  delete(id: string, options?: RequestOptions): Call<api.DeleteProductResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/products/${encodeURIComponent(id)}`, options })
  }

  /**
   * List the images of a product in their order.
   *
   * The first one stands for the product: it is its `image_url`.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getProductImages`.
   */
  getImages(id: string, options?: RequestOptions): Call<api.GetProductImagesResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/products/${encodeURIComponent(id)}/images`, options })
  }

  /**
   * Add an image to a product.
   *
   * A form with one file in the field `image`: JPEG, PNG, WebP or GIF, recognised by its content, at most 5 MB and 50 million pixels. It is added after the images that are there, at most 20. It is stored as sent, with the metadata of the camera; the thumbnail has no metadata. An `Idempotency-Key` covers the bytes of the image, not how the form wraps or names them.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createProductImage`.
   */
  createImage(id: string, body: Body<api.CreateProductImageData>, options?: RequestOptions): Call<api.CreateProductImageResponses[201]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/products/${encodeURIComponent(id)}/images`, form: body, options })
  }

  /**
   * Change the order of the images of a product.
   *
   * All images are named, each once. The first one stands for the product from then on.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `orderProductImages`.
   */
  orderImages(id: string, body: Body<api.OrderProductImagesData>, options?: RequestOptions): Call<api.OrderProductImagesResponses[200]> {
    return this.connection.call({ method: 'PUT', path: `/public/v1/products/${encodeURIComponent(id)}/images/order`, json: body, options })
  }

  /**
   * Delete an image of a product.
   *
   * The images after it move up. Its address stops working; who has seen the image may still have it.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deleteProductImage`.
   */
  deleteImage(id: string, imageId: string, options?: RequestOptions): Call<api.DeleteProductImageResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/products/${encodeURIComponent(id)}/images/${encodeURIComponent(imageId)}`, options })
  }

  /**
   * Set the variants and parts of a kit.
   *
   * The whole kit is replaced. SKUs named by `sku_id` and parts named by `part_id` are kept, with their stock; those no longer named are removed, unless something open needs them. A product with SKUs of its own becomes a kit by it.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `setProductKit`.
   */
  setKit(id: string, body: Body<api.SetProductKitData>, options?: RequestOptions): Call<api.SetProductKitResponses[200]> {
    return this.connection.call({ method: 'PUT', path: `/public/v1/products/${encodeURIComponent(id)}/kit`, json: body, options })
  }
}
