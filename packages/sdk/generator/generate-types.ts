import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import type { Description, Schema } from './read-description.ts'

/** Stands for "or another text" until the types are printed: JSON Schema has no word for a list that may grow. */
const otherText = '__another_text__'

/** The types of requests and answers, as TypeScript. */
export async function printTypes(description: Description): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'printyard-sdk-'))
  try {
    await createClient({
      input: simplify(description) as Record<string, unknown>,
      output: { path: folder, entryFile: false },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent' },
    })
    const types = await readFile(join(folder, 'types.gen.ts'), 'utf8')
    return `${types.trimEnd()}\n\n${printErrorCodes(description)}`.replaceAll(`'${otherText}'`, '(string & {})')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Refusals are one type, and the headers of answers are read by `request.ts`: neither is printed for each operation. */
function simplify({ paths, components, ...rest }: Description): Description {
  const items = Object.entries(paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, withoutRefusals(operation)])),
  ])
  return openEnums({ ...rest, paths: Object.fromEntries(items), components: { schemas: components.schemas } })
}

function withoutRefusals<T extends { responses: object }>(operation: T): T {
  const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
  const responses = Object.fromEntries(answers.map(([status, { headers: _, ...answer }]) => [status, answer]))
  return { ...operation, responses }
}

/** Answers may gain fields and values: their known values become a list that is open, and their types list the known fields. */
function openEnums<T>(value: T): T {
  if (Array.isArray(value)) return value.map(openEnums) as T
  if (typeof value !== 'object' || value === null) return value
  const schema = value as Schema
  const entries = Object.entries(schema).map(([name, part]) => [name, openEnums(part)])
  const opened = Object.fromEntries(entries) as Schema
  if (opened.properties && opened.additionalProperties === true) delete opened.additionalProperties
  const known = opened['x-extensible-enum']
  if (Array.isArray(known)) opened.enum = [...known, otherText, ...(isNullable(opened) ? [null] : [])]
  return opened as T
}

const isNullable = ({ type }: Schema) => Array.isArray(type) && type.includes('null')

/** Every code that an operation can answer. */
function printErrorCodes(description: Description): string {
  const codes = new Set(
    JSON.stringify(description)
      .match(/"x-error-codes":\[[^\]]*\]/g)
      ?.flatMap(codesOf) ?? [],
  )
  const lines = [...codes].sort().map((code) => `    | '${code}'`)
  return `/**\n * What a refusal is about; a later version may have more\n */\nexport type ErrorCode =\n${lines.join('\n')}\n    | '${otherText}';\n`
}

const codesOf = (text: string) => JSON.parse(text.slice(text.indexOf('['))) as string[]
