import { expect, test } from 'vitest'
import { operationId } from './operation-id.ts'

test.each([
  ['GET', '/public/v1/printers', 'getPrinters'],
  ['GET', '/public/v1/printers/:id', 'getPrintersById'],
  ['POST', '/public/v1/jobs/:id/start', 'postJobsByIdStart'],
  ['POST', '/public/v1/files/upload-url', 'postFilesUploadUrl'],
  ['PUT', '/public/v1/files/:id/versions/:version/current', 'putFilesByIdVersionsByVersionCurrent'],
  ['GET', '/public/v1/wiki/:idOrSlug', 'getWikiByIdOrSlug'],
  ['POST', '/hub/v1/join', 'postHubJoin'],
])('%s %s is %s', (method, url, id) => expect(operationId(method, url)).toBe(id))
