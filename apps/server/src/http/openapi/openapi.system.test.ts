import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { printOpenApiDocument, printPeopleDocument } from '../../openapi-document.ts'

const committed = fileURLToPath(new URL('../../../openapi.json', import.meta.url))
const committedForPeople = fileURLToPath(new URL('../../../openapi.people.json', import.meta.url))

test('the committed document is that of the routes; `npx printyard openapi --no-examples --output apps/server/openapi.json` renews it', async () => {
  expect(existsSync(committed)).toBe(true)
  expect(readFileSync(committed, 'utf8')).toBe(await printOpenApiDocument({ examples: false }))
})

test('the private document is that of the routes for people; `node apps/server/src/write-people-document.ts` renews it', async () => {
  expect(readFileSync(committedForPeople, 'utf8')).toBe(await printPeopleDocument())
})

test('no route stands in both documents, and the public one has none that only people may call', async () => {
  const [open, closed] = await Promise.all([printOpenApiDocument(), printPeopleDocument()])
  const paths = (text: string) => Object.keys(JSON.parse(text).paths)
  expect(paths(open).filter((path) => path.startsWith('/app/'))).toEqual([])
  expect(paths(closed)).toContain('/app/v1/session')
  expect(paths(closed).filter((path) => !path.startsWith('/app/v1/'))).toEqual([])
  expect(paths(closed)).not.toContain('/app/v1/printers')
})

test('the document is the same each time it is printed, and names the routes with what they need', async () => {
  const text = await printOpenApiDocument()
  expect(await printOpenApiDocument()).toBe(text)
  const document = JSON.parse(text)
  expect(document.openapi).toBe('3.1.0')
  expect(document.paths['/public/v1/printers'].get.description).toContain('Scope: `read`')
  expect(Object.keys(document.paths)).toEqual(Object.keys(document.paths).sort())
})

test('without examples the document keeps every type, also of fields that are called so', async () => {
  const [full, plain] = await Promise.all([printOpenApiDocument(), printOpenApiDocument({ examples: false })])
  expect(plain).not.toMatch(/^ *"examples?": [[{"]/m)
  expect(full).toMatch(/^ *"examples?": [[{"]/m)
  const [described, kept] = [JSON.parse(full), JSON.parse(plain)]
  expect(Object.keys(kept.components.schemas)).toEqual(Object.keys(described.components.schemas))
  for (const [name, schema] of Object.entries<{ properties?: object }>(described.components.schemas)) {
    expect(Object.keys(kept.components.schemas[name].properties ?? {}), name).toEqual(
      Object.keys(schema.properties ?? {}),
    )
  }
})
