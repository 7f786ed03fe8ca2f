import { type DescribedOperation, type Description, isCommand, listOperations } from './read-description.ts'

/** Name of one thing of a resource in operation IDs, where it is not said by `GET /x/{id}`. */
const nouns: Readonly<Record<string, string>> = {
  analytics: 'Analytics',
  members: 'Member',
  production: 'Production',
  scheduler: 'Scheduler',
  printerModels: 'PrinterModel',
  events: 'Event',
  key: 'Key',
  agentCalls: 'AgentCall',
  colors: 'Color',
}

/** Operations whose name in a resource follows from no rule. */
const named: Readonly<Record<string, string>> = {
  enqueueJobs: 'enqueueBulk',
  createProductionProduce: 'produce',
  createOrderItemHold: 'holdItem',
  getAnalyticsInventoryItems: 'getInventory',
  updatePrintFailure: 'updateFailure',
  getPrintFailurePicture: 'getFailurePicture',
  setCurrentFileVersion: 'setCurrentVersion',
  uploadFile: 'uploadContent',
}

/** Resources whose class is extended by hand, in the file `resources/NAME.ts`. */
const extended: readonly string[] = ['events', 'files']

interface Resource {
  /** Path in the client, such as `jobs` or `materials.filament`. */
  name: string
  operations: DescribedOperation[]
}

interface Printed {
  /** File name, without folder → its text. */
  files: Map<string, string>
  /** The operation IDs with the methods of the client that call them. */
  methods: Map<string, string>
}

const camel = (text: string) => text.replaceAll(/-([a-z])/g, (_, first: string) => first.toUpperCase())
const pascal = (text: string) => text.replace(/^./, (first) => first.toUpperCase())
const lower = (text: string) => text.replace(/^./, (first) => first.toLowerCase())

/** `materials.filament` of `/public/v1/materials/filament/{id}`. */
function resourceName({ path }: DescribedOperation): string {
  const [first = '', second] = path.replace(/^\/public\/v1\//, '').split('/')
  if (first === '') return 'hubs'
  const isNested = first === 'materials' && second !== undefined && !['forecast', 'settings'].includes(second)
  return isNested ? `materials.${camel(second)}` : camel(first)
}

function listResources(description: Description): Resource[] {
  const operations = listOperations(description).map((operation) =>
    operation.path.startsWith('/hub/')
      ? { ...operation, home: 'hubs' }
      : { ...operation, home: resourceName(operation) },
  )
  return [...Map.groupBy(operations, ({ home }) => home)]
    .map(([name, operations]) => ({ name, operations }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

function nounOf({ name, operations }: Resource): string {
  const one = operations.find(({ method, path }) => method === 'GET' && /^\/public\/v1\/[a-z-/]+\/\{\w+\}$/.test(path))
  return one?.operationId.replace(/^get/, '') ?? nouns[name] ?? pascal(name)
}

/** `start` of `startJob`, `getStatus` of `getPrinterStatus`. */
function methodName({ operationId }: DescribedOperation, noun: string): string {
  const given = named[operationId]
  if (given !== undefined) return given
  const [, verb = '', rest = ''] = /^([a-z]+)(.*)$/.exec(operationId) ?? []
  const plural =
    noun.endsWith('s') || noun === 'Packaging' ? noun : noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
  for (const word of [plural, noun]) {
    if (rest.startsWith(word) && /^(?:[A-Z]|$)/.test(rest.slice(word.length))) return verb + rest.slice(word.length)
    if (rest.endsWith(word)) return verb + rest.slice(0, -word.length)
  }
  return verb + rest
}

/** The classes of the client, one per resource, with a method for each operation. */
export function printResources(description: Description): Printed {
  const files = new Map<string, string>()
  const methods = new Map<string, string>()
  const resources = listResources(description)
  for (const file of Map.groupBy(resources, ({ name }) => name.split('.')[0] ?? name)) {
    const [name, parts] = file
    const classes = parts
      .sort((one, other) => other.name.length - one.name.length)
      .map((resource) => printClass(resource, parts, methods))
    const text = classes.join('\n')
    const calls = ['Call', 'List', 'Feed', 'Body', 'Query'].filter((word) => new RegExp(`\\b${word}<`).test(text))
    const header = [
      '// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.',
      "import type * as api from '../generated/api.generated.ts'",
      `import type { ${[...calls, 'Connection', 'RequestOptions'].sort().join(', ')} } from '../request.ts'`,
    ]
    files.set(`${kebab(name)}.generated.ts`, `${header.join('\n')}\n\n${text}`)
  }
  const roots = [...new Set(resources.map(({ name }) => name.split('.')[0] ?? name))]
  files.set('resources.generated.ts', printRoot(roots))
  return { files, methods }
}

const kebab = (text: string) => text.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
const className = (name: string) => name.split('.').map(pascal).join('')

function printRoot(names: string[]): string {
  const imports = names.map((name) => {
    const suffix = extended.includes(name) ? '' : '.generated'
    return `import { ${className(name)} } from './${kebab(name)}${suffix}.ts'`
  })
  return [
    '// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.',
    ...imports.sort(),
    "import type { Connection } from '../request.ts'",
    '',
    '/** The resources of the API. */',
    'export class Resources {',
    ...names.map((name) => `  readonly ${name}: ${className(name)}`),
    '',
    '  constructor(connection: Connection) {',
    ...names.map((name) => `    this.${name} = new ${className(name)}(connection)`),
    '  }',
    '}',
    '',
  ].join('\n')
}

function printClass(resource: Resource, parts: readonly Resource[], methods: Map<string, string>): string {
  const { name, operations } = resource
  const children = parts.filter((part) => part.name.startsWith(`${name}.`)).map((part) => part.name)
  const noun = nounOf(resource)
  const own = operations.map((operation) => ({ operation, method: methodName(operation, noun) }))
  const doubled = own.find(({ method }, index) => own.findIndex((other) => other.method === method) !== index)
  if (doubled)
    throw new Error(`two operations of ${name} would be ${doubled.method}; name ${doubled.operation.operationId}`)
  for (const { operation, method } of own) methods.set(operation.operationId, `${name}.${method}`)
  const fields = children.map((child) => `  readonly ${child.split('.')[1]}: ${className(child)}`)
  const assignments = children.map((child) => `    this.${child.split('.')[1]} = new ${className(child)}(connection)`)
  const suffix = extended.includes(name) ? 'Operations' : ''
  return [
    `/** Operations on ${name.replace('.', ', ')}. */`,
    `export class ${className(name)}${suffix} {`,
    ...fields,
    '  protected readonly connection: Connection',
    '',
    '  constructor(connection: Connection) {',
    '    this.connection = connection',
    ...assignments,
    '  }',
    ...own.map(({ operation, method }) => `\n${printMethod(operation, method)}`),
    '}',
    '',
  ].join('\n')
}

function printMethod(operation: DescribedOperation, name: string): string {
  const { operationId, method, path, parameters = [], requestBody } = operation
  const type = pascal(operationId)
  const inPath = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const isQueryNeeded = inQuery.some(({ required }) => required === true)
  const answer = answerOf(operation)
  const given = [
    ...inPath.map(
      (parameter) => `${lower(parameter)}: string${/^(?:version|number)$/.test(parameter) ? ' | number' : ''}`,
    ),
    ...(requestBody ? [bodyParameter(operation)] : []),
    ...(inQuery.length > 0 ? [`query${isQueryNeeded ? '' : '?'}: Query<api.${type}Data>`] : []),
    'options?: RequestOptions',
  ]
  // A needed parameter after an optional one does not parse; no operation has this.
  const address = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => `\${encodeURIComponent(${parameter})}`)
  const url = inPath.length > 0 ? `\`${address}\`` : `'${path}'`
  const parts = [
    `method: '${method}'`,
    `path: ${url}`,
    ...(requestBody ? [`${contentOf(operation)}: body`] : []),
    ...(inQuery.length > 0 ? ['query'] : []),
    ...(isCommand(operation) ? ['isCommand: true'] : []),
    'options',
  ]
  return `${printComment(operation)}\n  ${name}(${given.join(', ')}): ${answer.type} {\n    return this.connection.${answer.call}({ ${parts.join(', ')} })\n  }`
}

function bodyParameter({ operationId, requestBody }: DescribedOperation): string {
  const [content = ''] = Object.keys(requestBody?.content ?? {})
  const optional = requestBody?.required === true ? '' : '?'
  if (content === 'application/octet-stream') return `body${optional}: Blob | Uint8Array<ArrayBuffer>`
  if (content === 'text/csv') return `body${optional}: Blob | string`
  return `body${optional}: Body<api.${pascal(operationId)}Data>`
}

function contentOf({ requestBody }: DescribedOperation): string {
  const [content = ''] = Object.keys(requestBody?.content ?? {})
  if (content === 'multipart/form-data') return 'form'
  if (content === 'application/octet-stream') return 'bytes'
  return content === 'text/csv' ? 'csv' : 'json'
}

function answerOf({ operationId, parameters = [], responses }: DescribedOperation): { type: string; call: string } {
  const status = Object.keys(responses).find((code) => code.startsWith('2')) ?? '200'
  const content = responses[status]?.content ?? {}
  const schema = content['application/json']?.schema
  if (schema === undefined) return { type: 'Call<Response>', call: 'receive' }
  const answer = `api.${pascal(operationId)}Responses[${status}]`
  const takes = (name: string) => parameters.some((parameter) => parameter.name === name && parameter.in === 'query')
  const { properties = {} } = schema
  if (takes('cursor')) return { type: `List<${answer}>`, call: 'list' }
  if (takes('after') && properties.meta !== undefined) return { type: `Feed<${answer}>`, call: 'feed' }
  return { type: `Call<${answer}>`, call: 'call' }
}

function printComment({ summary = '', description = '', operationId, deprecated }: DescribedOperation): string {
  const paragraphs = [`${summary}${/[.?!]$/.test(summary) ? '' : '.'}`, description, `Operation: \`${operationId}\`.`]
  const text = paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')
  const lines = `${text}${deprecated === true ? '\n\n@deprecated' : ''}`.replaceAll('*/', '*\\/').split('\n')
  return ['  /**', ...lines.map((line) => `   * ${line}`.trimEnd()), '   */'].join('\n')
}
