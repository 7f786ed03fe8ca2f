/** Names that no rule finds, because what is done is more than the path says. */
const named: Readonly<Record<string, string>> = {
  'POST /hub/join': 'joinHub',
  'POST /jobs': 'enqueueJob',
  'POST /jobs/bulk': 'enqueueJobs',
  'POST /jobs/preview': 'previewJob',
  'GET /jobs/:id/explain': 'explainJob',
  'GET /printers/live': 'listLivePrinters',
  'POST /printers/:id/heaters': 'setPrinterHeaters',
  'POST /printers/:id/light': 'switchPrinterLight',
  'POST /printers/:id/filament/load': 'loadFilament',
  'POST /printers/:id/filament/unload': 'unloadFilament',
  'POST /files/upload-url': 'createUploadUrl',
  'PUT /files/upload/:token': 'uploadFile',
  'PUT /files/:id/versions/:version/current': 'setCurrentFileVersion',
  'GET /files/tags': 'listFileTags',
  'GET /files/folders': 'listFileFolders',
  'GET /files/:id/uses': 'getFileUses',
  'POST /hubs/:id/discover': 'discoverPrinters',
  'GET /hubs/:id/discovered': 'listDiscoveredPrinters',
  'POST /hubs/:id/test-connection': 'testConnection',
  'POST /materials/components/check-availability': 'checkComponentAvailability',
  'POST /materials/filament/scan': 'scanSpoolTag',
  'GET /materials/filament/:id/tags': 'getSpoolTags',
  'POST /orders/import': 'importOrders',
  'POST /orders/:id/erase-customer': 'eraseOrderCustomer',
  'PUT /products/:id/images/order': 'orderProductImages',
  'PUT /worklist/:id/assign': 'assignTask',
  'GET /events/stream': 'streamEvents',
  'GET /analytics/failures/:id/picture': 'getPrintFailurePicture',
  'PATCH /analytics/failures/:id': 'updatePrintFailure',
  'POST /webhooks/:id/rotate-secret': 'rotateWebhookSecret',
}

/** Name of one thing of a path, where that is not its plural without the s. */
const things: Readonly<Record<string, string>> = {
  assembly: 'assembly task',
  wiki: 'article',
  worklist: 'task',
  filament: 'spool',
  inventory: 'inventory item',
  packaging: 'packaging',
  analytics: 'analytics',
  history: 'history',
}

/** Last words of paths that say what is done with the thing before them. */
const verbs: ReadonlySet<string> = new Set(
  (
    'accept adjust assemble assign cancel complete consume control fulfill map pause plan produce publish redeliver resolve restock restore ' +
    'resume retry start stop test unpublish withdraw'
  ).split(' '),
)

const methodVerbs: Readonly<Record<string, string>> = { POST: 'create', PATCH: 'update', PUT: 'set', DELETE: 'delete' }

/**
 * The name of an operation, which is that of a method in generated clients: `POST /public/v1/jobs/:id/resume` is `resumeJob`, and
 * `GET /public/v1/jobs`, which is a list, `listJobs`. By method and path alone, so that a name never moves to another operation.
 */
export function operationId(method: string, url: string, { isList = false } = {}): string {
  const path = url.replace(/^\/(?:public|app)(?=\/)/, '').replace(/\/v\d+(?=\/)/, '')
  const given = named[`${method} ${path}`]
  if (given !== undefined) return given
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== 'materials')
  const last = segments.at(-1) ?? ''
  const isOfOne = segments.some((segment) => segment.startsWith(':'))
  const nouns = segments.filter((segment) => !segment.startsWith(':'))
  if (method === 'POST' && isOfOne && verbs.has(last)) return camel([last, ...nouns.slice(0, -1).map(oneOf)])
  const verb = method === 'GET' ? (isList ? 'list' : 'get') : (methodVerbs[method] ?? method.toLowerCase())
  const isOne = last.startsWith(':') || method === 'POST'
  return camel([verb, ...nouns.slice(0, -1).map(oneOf), isOne ? oneOf(nouns.at(-1) ?? '') : allOf(nouns.at(-1) ?? '')])
}

function oneOf(noun: string): string {
  return things[noun] ?? noun.replace(/ies$/, 'y').replace(/(?<![su])s$/, '')
}

/** Things that are named by one word for all of them, in the plural. */
function allOf(noun: string): string {
  const one = things[noun]
  return one === undefined || one === noun ? noun : `${one}s`
}

function camel(words: string[]): string {
  const [first = '', ...others] = words.flatMap((word) => word.split(/[^A-Za-z0-9]+/))
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
