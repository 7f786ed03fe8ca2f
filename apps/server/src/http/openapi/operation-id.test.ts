import { expect, test } from 'vitest'
import { operationId } from './operation-id.ts'

test.each([
  ['GET', '/public/v1/printers/:id', 'getPrinter'],
  ['POST', '/public/v1/jobs/:id/resume', 'resumeJob'],
  ['POST', '/public/v1/jobs', 'enqueueJob'],
  ['GET', '/public/v1/jobs/stats', 'getJobStats'],
  ['PATCH', '/public/v1/materials/filament/:id', 'updateSpool'],
  ['POST', '/public/v1/materials/components/:id/consume', 'consumeComponent'],
  ['POST', '/public/v1/orders/:id/items/:itemId/fulfill', 'fulfillOrderItem'],
  ['POST', '/public/v1/orders/:id/items/:itemId/map', 'mapOrderItem'],
  ['PATCH', '/public/v1/orders/settings', 'updateOrderSettings'],
  ['POST', '/public/v1/listing-maps', 'createListingMap'],
  ['DELETE', '/public/v1/products/:id/images/:imageId', 'deleteProductImage'],
  ['POST', '/public/v1/products/:id/images', 'createProductImage'],
  ['PUT', '/public/v1/inventory/:id/threshold', 'setInventoryItemThreshold'],
  ['GET', '/public/v1/wiki/:idOrSlug', 'getArticle'],
  ['GET', '/public/v1/printers/:id/status', 'getPrinterStatus'],
  ['POST', '/public/v1/files/upload-url', 'createUploadUrl'],
  ['POST', '/hub/v1/join', 'joinHub'],
])('%s %s is %s', (method, url, id) => expect(operationId(method, url)).toBe(id))

test.each([
  ['/public/v1/jobs', 'listJobs'],
  ['/public/v1/jobs/history', 'listJobHistory'],
  ['/public/v1/worklist', 'listTasks'],
  ['/public/v1/skus', 'listSkus'],
  ['/public/v1/materials/filament/:id/movements', 'listSpoolMovements'],
  ['/public/v1/wiki/categories', 'listArticleCategories'],
  ['/app/v1/api-keys', 'listApiKeys'],
])('GET %s, which is a list, is %s', (url, id) => expect(operationId('GET', url, { isList: true })).toBe(id))
