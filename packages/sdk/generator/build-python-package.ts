import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Description, isCommand, listOperations, readDescription, type Schema } from './read-description.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** What is written by hand: the files of the package, the templates of the generator, and tests. */
export const pythonSources = join(root, 'packages/sdk-python')
/** The environment that `npm test` makes of `scripts/python-peers/printyard-sdk.txt`. */
const pythonTools = join(root, '.peers/printyard-sdk/bin')

/** What only generators say that could do with less than all of a description. */
const leftOut = /Unable to process schema|Found conflicting|Cannot parse (?:request|parameter)/

/**
 * Builds the Python package in `packages/sdk-python/dist` unless told otherwise: models and a function per operation, made by
 * openapi-python-client with our templates, beside what is written by hand.
 *
 * @throws Error when the generator left something out.
 */
export function buildPythonPackage(folder = join(pythonSources, 'dist')): void {
  rmSync(folder, { recursive: true, force: true })
  const work = mkdtempSync(join(tmpdir(), 'printyard-sdk-python-'))
  try {
    const description = readDescription()
    const documentFile = join(work, 'openapi.json')
    writeFileSync(documentFile, JSON.stringify(forPython(description)))
    const made = join(folder, 'printyard')
    const templates = join(pythonSources, 'templates')
    const output = execFileSync(
      join(pythonTools, 'python'),
      [
        '-m',
        'openapi_python_client',
        'generate',
        ...['--path', documentFile, '--output-path', made, '--meta', 'none'],
        ...['--custom-template-path', templates, '--config', join(templates, 'config.yml')],
      ],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, PATH: `${pythonTools}${delimiter}${process.env.PATH}` },
      },
    )
    if (leftOut.test(output)) throw new Error(`openapi-python-client left something out:\n${output.slice(0, 4_000)}`)
    // Ours takes their place.
    for (const name of ['client.py', 'errors.py']) rmSync(join(made, name))
    cpSync(join(pythonSources, 'src/printyard'), made, { recursive: true })
    writeFileSync(join(made, '_commands.py'), printCommands(description))
    for (const name of ['pyproject.toml', 'README.md']) copyFileSync(join(pythonSources, name), join(folder, name))
    copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * The description as the generator is to see it: refusals are raised and no result, so they are left out; the stream is followed by
 * hand; an answer that is JSON or CSV is JSON, pages are text, and pictures are bytes. What parameters are stands where the generator takes its docstrings
 * from, and words that may be null are a type of one name.
 */
function forPython(description: Description): Description {
  const copy = structuredClone(description)
  for (const item of Object.values(copy.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (operation.operationId === 'streamEvents') delete item[method]
      for (const { description: words, schema } of operation.parameters ?? []) schema.description ??= words
      if (operation.responses === undefined) continue
      const kept = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
      operation.responses = Object.fromEntries(kept.map(([status, answer]) => [status, oneContent(answer)]))
    }
  }
  nameNullable(copy)
  return copy
}

/**
 * What may be null is a union, of whose parts the generator makes types with numbers for names, and of an enum three of them. A title gives
 * the part that is not null the name of its property.
 */
function nameNullable(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  for (const value of Object.values(node)) nameNullable(value)
  const { properties } = node as Schema
  if (typeof properties !== 'object') return
  for (const [name, schema] of Object.entries(properties)) {
    const { type, enum: words, description, ...rest } = schema
    if (!Array.isArray(type) || !type.includes('null')) continue
    const isWords = words?.includes(null)
    if (!isWords && !type.includes('object')) continue
    const part = isWords
      ? { type: 'string', enum: words?.filter((word) => word !== null) }
      : { ...rest, type: 'object' }
    properties[name] = {
      ...(description !== undefined && { description }),
      anyOf: [{ title: name, ...part }, { type: 'null' }],
    }
  }
}

function oneContent<Answer extends { content?: Record<string, object> }>(answer: Answer): Answer {
  const [type = '', content = {}] = Object.entries(answer.content ?? {})[0] ?? []
  if (type === '') return answer
  if (type === 'application/json') return { ...answer, content: { [type]: content } }
  if (type === 'text/html') return { ...answer, content: { [type]: { schema: { type: 'string' } } } }
  return { ...answer, content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } }
}

function printCommands(description: Description): string {
  const commands = listOperations(description).filter(isCommand)
  return [
    '"""Printed from the API description; changes are lost."""',
    '',
    'COMMANDS = frozenset(',
    '    {',
    ...commands.map(({ method, path }) => `        ("${method.toLowerCase()}", "${path}"),`),
    '    }',
    ')',
    '"""Operations that move a machine, which are never sent again when their outcome is not known."""',
    '',
  ].join('\n')
}

/** All that the package is made of. */
export function readPythonInputs(): string[] {
  const files = ['templates', 'src/printyard'].flatMap((folder) =>
    readdirSync(join(pythonSources, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => join(folder, name))
      .sort(),
  )
  return [
    readFileSync(fileURLToPath(import.meta.url), 'utf8'),
    JSON.stringify(readDescription()),
    ...[...files, 'pyproject.toml', 'README.md'].map((file) => readFileSync(join(pythonSources, file), 'utf8')),
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildPythonPackage()
