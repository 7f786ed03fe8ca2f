import { listMethods } from '@printyard/sdk/methods'
import { escapeHtml } from '../escape-html.ts'
import { addressOf } from '../layout.ts'
import { type Rendered, renderMarkdown, type Section } from '../render-markdown.ts'
import { type ApiDescription, listOperations, type PlacedOperation, resolve, type Schema } from './api-description.ts'
import { asCurl, asPython, asTypeScript, exampleRequest } from './request-examples.ts'

type Page = Rendered & { path: string }

/** The reference of the API: a page that lists all operations, and one for each tag. */
export function printReference(description: ApiDescription): Page[] {
  const calls = listMethods()
  const operations = listOperations(description)
  const tagged = description.tags
    .map((tag) => ({ ...tag, operations: operations.filter(({ tags = [] }) => tags.includes(tag.name)) }))
    .filter((tag) => tag.operations.length > 0)
  const lost = operations.filter(
    ({ operationId }) => !tagged.some((tag) => tag.operations.some((each) => each.operationId === operationId)),
  )
  if (lost.length > 0)
    throw new Error(`no page of the reference has ${lost.map(({ operationId }) => operationId).join(', ')}`)
  return [overview(description, tagged), ...tagged.map((tag) => tagPage(tag, description, calls))]
}

interface Tag {
  name: string
  description: string
  operations: PlacedOperation[]
}

const pathOf = ({ name }: Tag) => `api/reference/${name.toLowerCase()}`

function overview({ info }: ApiDescription, tags: readonly Tag[]): Page {
  const lists = tags.map((tag) => {
    const rows = tag.operations.map(
      (operation) =>
        `<tr><td><a href="${addressOf(pathOf(tag), operation.operationId)}">${escapeHtml(operation.summary ?? operation.operationId)}</a></td><td>${address(operation)}</td></tr>`,
    )
    return `<h2 id="${tag.name.toLowerCase()}"><a class="anchor" href="${addressOf(pathOf(tag))}">${escapeHtml(tag.name)}</a></h2>
<p>${escapeHtml(tag.description)}.</p>
<div class="table" tabindex="0" role="region" aria-label="${escapeHtml(tag.name)}"><table><tbody>
${rows.join('\n')}
</tbody></table></div>`
  })
  const html = `<h1>API reference</h1>
${markdown(info.description ?? '')}
<p>The same as <a href="/public/v1/openapi.json">OpenAPI 3.1</a>, and in an <a href="${addressOf('explorer')}">explorer</a> of it. Keys, limits
and paging have <a href="${addressOf('api')}">pages of their own</a>.</p>
${lists.join('\n')}`
  return { path: 'api/reference', title: 'API reference', html, sections: [] }
}

function tagPage(tag: Tag, description: ApiDescription, calls: ReadonlyMap<string, string>): Page {
  const title = `${tag.name}: API reference`
  const html = `<h1>${escapeHtml(tag.name)}</h1>
<p>${escapeHtml(tag.description)}. <a href="${addressOf('api/reference')}">All of the reference</a></p>
${tag.operations.map((operation) => operationHtml(operation, description, calls)).join('\n')}`
  const sections = tag.operations.map(
    (operation): Section => ({
      heading: operation.summary ?? operation.operationId,
      anchor: operation.operationId,
      text: `${operation.method} ${operation.path} ${operation.description ?? ''} ${operation.operationId}`.replaceAll(
        /[\s`]+/g,
        ' ',
      ),
    }),
  )
  return { path: pathOf(tag), title, html, sections }
}

const address = ({ method, path }: PlacedOperation) =>
  `<code><span class="method">${method}</span> ${escapeHtml(path)}</code>`

function operationHtml(
  operation: PlacedOperation,
  description: ApiDescription,
  calls: ReadonlyMap<string, string>,
): string {
  const { operationId, summary, parameters = [], requestBody, deprecated } = operation
  const call = calls.get(operationId)
  if (call === undefined) throw new Error(`the SDK has no method for ${operationId}`)
  const request = exampleRequest(operation, description)
  const given = parameters.filter((parameter) => parameter.in !== 'header')
  const body = requestBody?.content['application/json']?.schema
  return `<section class="operation">
<h2 id="${operationId}"><a class="anchor" href="#${operationId}">${escapeHtml(summary ?? operationId)}</a></h2>
<p>${address(operation)}</p>
${deprecated ? '<p><strong>Deprecated.</strong></p>\n' : ''}${markdown(operation.description ?? '')}
${fieldTable(
  'Parameters',
  given.map((each) => ({ ...each, place: each.in })),
)}
${body ? fieldTable('Body', fieldsOf(resolve(body, description.components.schemas))) : ''}
${example(operationId, 'curl', asCurl(request), true)}
${example(operationId, 'TypeScript', asTypeScript(request, call))}
${example(operationId, 'Python', asPython(request))}
${answers(operation, description)}
</section>`
}

/** Of the examples of an operation one is open at a time. */
function example(operationId: string, language: string, code: string, isOpen = false): string {
  return `<details name="example-${operationId}"${isOpen ? ' open' : ''}><summary>${language}</summary>\n${codeBlock(code)}</details>`
}

const codeBlock = (code: string) => `<pre tabindex="0"><code>${escapeHtml(code)}\n</code></pre>\n`

interface Field {
  name: string
  place?: string
  required?: boolean
  description?: string
  schema: Schema
}

function fieldsOf({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
    ...(schema.description !== undefined && { description: schema.description }),
  }))
}

function fieldTable(title: string, fields: readonly Field[]): string {
  if (fields.length === 0) return ''
  const rows = fields.map(({ name, place, required, description = '', schema }) => {
    const about = [place === 'path' ? 'in the path' : '', required ? 'required' : '', typeOf(schema)].filter(
      (word) => word !== '',
    )
    const chosen = schema.enum
      ? ` One of ${schema.enum.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(', ')}.`
      : ''
    const assumed =
      schema.default === undefined ? '' : ` Default: <code>${escapeHtml(JSON.stringify(schema.default))}</code>.`
    const words = description === '' ? '' : `${inline(description)}.`
    return `<tr><td><code>${escapeHtml(name)}</code><br><span class="about">${escapeHtml(about.join(', '))}</span></td><td>${words}${chosen}${assumed}</td></tr>`
  })
  return `<div class="table" tabindex="0" role="region" aria-label="${title}"><table><thead><tr><th>${title}</th><th>Meaning</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>`
}

/** `array of string`, `string or null`, `integer from 1 to 100`. */
function typeOf({ type, items, anyOf, format, minimum, maximum, maxLength }: Schema): string {
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ')
  const types = [type ?? 'any'].flat()
  const named = types.map((each) => (each === 'array' && items ? `array of ${typeOf(items)}` : each)).join(' or ')
  const form = format !== undefined && !format.startsWith('int') ? ` (${format})` : ''
  const range = minimum !== undefined && maximum !== undefined ? ` from ${minimum} to ${maximum}` : ''
  return `${named}${form}${range}${maxLength !== undefined && format === undefined ? `, at most ${maxLength} characters` : ''}`
}

function answers({ responses }: PlacedOperation, { components }: ApiDescription): string {
  const parts: string[] = []
  const codes = new Set<string>()
  for (const [status, given] of Object.entries(responses)) {
    const answer = resolve(given, components.responses)
    for (const code of answer['x-error-codes'] ?? []) codes.add(code)
    if (!status.startsWith('2')) continue
    const shown = answer.content?.['application/json']?.example
    const kinds = Object.keys(answer.content ?? {}).filter((kind) => kind !== 'application/json')
    const as = kinds.length > 0 ? ` <code>${kinds.map(escapeHtml).join('</code>, <code>')}</code>` : ''
    parts.push(
      `<p>Answers <strong>${status}</strong>${as}${answer.description ? `: ${inline(answer.description)}` : ''}.</p>`,
      ...(shown === undefined
        ? []
        : [
            `<details><summary>Answer of ${status}</summary>\n${codeBlock(JSON.stringify(shown, undefined, 2))}</details>`,
          ]),
    )
  }
  const links = [...codes].map((code) => `<a href="${addressOf(`errors/${code}`)}"><code>${code}</code></a>`)
  if (links.length > 0) parts.push(`<p>Errors: ${links.join(', ')}.</p>`)
  return parts.join('\n')
}

/** Words of the description, which name no files and show no pictures. */
function markdown(text: string): string {
  return renderMarkdown(text, { link: (_href, inner) => inner, image: (_href, alt) => escapeHtml(alt) }).html
}

/** The same for a sentence that stands in a cell. */
const inline = (text: string) => markdown(text.replace(/\.\s*$/, '')).replace(/^<p>|<\/p>\s*$/g, '')
