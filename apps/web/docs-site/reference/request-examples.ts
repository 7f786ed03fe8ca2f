import type { ApiDescription, PlacedOperation, Schema } from './api-description.ts'
import { resolve } from './api-description.ts'

/** One request of an operation, with values. */
interface ExampleRequest {
  method: string
  /** With its variables filled in. */
  path: string
  pathValues: string[]
  query: Record<string, unknown>
  /** Undefined where the operation takes none. */
  body?: { type: string; value: unknown }
  answersJson: boolean
}

/** A request with what is required, and with the whole example where nothing is. */
export function exampleRequest(operation: PlacedOperation, description: ApiDescription): ExampleRequest {
  const { method, path, parameters = [], requestBody, responses } = operation
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const values = new Map(inPath.map(({ name, example }) => [name, String(example ?? wordFor(name, path))]))
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required === true)
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const schema = content?.schema && resolve(content.schema, description.components.schemas)
  return {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.get(name) ?? name)),
    pathValues: [...values.values()],
    query: Object.fromEntries(required.map(({ name, example, schema: of }) => [name, example ?? valueFor(name, of)])),
    ...(type !== undefined && { body: { type, value: withRequired(content?.example, schema) } }),
    answersJson: success?.content?.['application/json'] !== undefined,
  }
}

/** `PRINTER_ID` of `/printers/{id}`. */
function wordFor(name: string, path: string): string {
  if (name !== 'id') return name.toUpperCase()
  const [, before = 'id'] = /\/([a-z-]+)\/\{id\}/.exec(path) ?? []
  const singular = before.replaceAll('-', '_').replace(/ies$/, 'y').replace(/s$/, '')
  return `${singular.toUpperCase()}_ID`
}

function valueFor(name: string, { enum: values, format, type }: Schema): unknown {
  if (values?.[0] !== undefined) return values[0]
  if (format === 'date-time') return '2026-11-20T09:30:00.000Z'
  return type === 'integer' || type === 'number' ? 1 : name.toUpperCase()
}

function withRequired(example: unknown, schema: Schema | undefined): unknown {
  const required = schema?.required ?? []
  if (required.length === 0 || typeof example !== 'object' || example === null) return example ?? {}
  return Object.fromEntries(Object.entries(example).filter(([name]) => required.includes(name)))
}

const isJson = (type: string | undefined) => type === 'application/json'

/** By the command line, with the address and the key in the environment. */
export function asCurl(request: ExampleRequest): string {
  const { method, path, query, body } = request
  const lines = [`curl "$PRINTYARD_URL${path}${asQuery(query)}"`]
  if (method !== 'GET' && !(method === 'POST' && body !== undefined)) lines.push(`--request ${method}`)
  lines.push('--header "Authorization: Bearer $PRINTYARD_API_KEY"')
  if (isJson(body?.type)) {
    lines.push('--header "Content-Type: application/json"', `--data '${shellQuoted(JSON.stringify(body?.value))}'`)
  } else if (body?.type === 'multipart/form-data') {
    lines.push('--form "image=@picture.jpg"')
  } else if (body !== undefined) {
    lines.push(`--header "Content-Type: ${body.type}"`, '--data-binary @FILE')
  }
  return lines.join(' \\\n  ')
}

const shellQuoted = (text: string) => text.replaceAll("'", "'\\''")

function asQuery(query: Record<string, unknown>): string {
  const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const text = new URLSearchParams(texts).toString()
  return text === '' ? '' : `?${text}`
}

/** What is no JSON is read from a file. */
function scriptBody({ type, value }: NonNullable<ExampleRequest['body']>): string {
  if (isJson(type)) return asScript(value)
  return type === 'multipart/form-data' ? "{ image: await openAsBlob('picture.jpg') }" : "await openAsBlob('FILE')"
}

/** By the SDK; `call` is the method of the client, such as `jobs.enqueue`. */
export function asTypeScript({ pathValues, query, body }: ExampleRequest, call: string): string {
  const given = [
    ...pathValues.map((value) => asScript(value)),
    ...(body === undefined ? [] : [scriptBody(body)]),
    ...(Object.keys(query).length > 0 ? [asScript(query)] : []),
  ]
  const opens = body === undefined || isJson(body.type) ? '' : "import { openAsBlob } from 'node:fs'\n"
  return `${opens}import { Printyard } from '@printyard/sdk'

const printyard = new Printyard({
  baseUrl: process.env.PRINTYARD_URL ?? '',
  apiKey: process.env.PRINTYARD_API_KEY ?? '',
})
const answer = await printyard.${call}(${given.join(', ')})
console.log(answer)`
}

/** A value as it is written in TypeScript. */
function asScript(value: unknown, indent = ''): string {
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
  if (Array.isArray(value)) return `[${value.map((item) => asScript(item, indent)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const lines = Object.entries(value).map(([name, each]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : asScript(name)
    return `${inner}${key}: ${asScript(each, inner)},\n`
  })
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`
}

/** By Python's standard library, so that nothing has to be installed. */
export function asPython({ method, path, query, body, answersJson }: ExampleRequest): string {
  const isForm = body?.type === 'multipart/form-data'
  const sent = isJson(body?.type)
    ? `\n    data=json.dumps(${asPythonValue(body?.value, '    ')}).encode(),`
    : isForm
      ? '\n    data=form,'
      : body === undefined
        ? ''
        : '\n    data=open("FILE", "rb").read(),'
  const type = isForm ? ', "Content-Type": "multipart/form-data; boundary=" + boundary' : asPythonType(body?.type)
  return `import json
import os
import urllib.request
${isForm ? pythonForm : ''}
request = urllib.request.Request(
    os.environ["PRINTYARD_URL"] + ${JSON.stringify(`${path}${asQuery(query)}`)},
    method="${method}",
    headers={"Authorization": "Bearer " + os.environ["PRINTYARD_API_KEY"]${type}},${sent}
)
with urllib.request.urlopen(request) as answer:
    print(${answersJson ? 'json.load(answer)["data"]' : 'answer.read()'})`
}

const asPythonType = (type: string | undefined) => (type === undefined ? '' : `, "Content-Type": "${type}"`)

/** The standard library sends forms, and writes none. */
const pythonForm = `import uuid

boundary = uuid.uuid4().hex
opening = f'--{boundary}\\r\\nContent-Disposition: form-data; name="image"; filename="picture.jpg"\\r\\n\\r\\n'
with open("picture.jpg", "rb") as picture:
    form = opening.encode() + picture.read() + f"\\r\\n--{boundary}--\\r\\n".encode()
`

/** A value as it is written in Python. */
function asPythonValue(value: unknown, indent: string): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  // JSON escapes texts as Python does.
  if (typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => asPythonValue(item, indent)).join(', ')}]`
  const inner = `${indent}    `
  const lines = Object.entries(value).map(
    ([name, each]) => `${inner}${JSON.stringify(name)}: ${asPythonValue(each, inner)},\n`,
  )
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`
}
