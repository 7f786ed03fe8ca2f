import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { printOpenApiDocument } from '../../openapi-document.ts'

const committed = fileURLToPath(new URL('../../../openapi.json', import.meta.url))

test('the committed document is that of the routes; `npx printyard openapi --no-examples --output apps/server/openapi.json` renews it', async () => {
  expect(existsSync(committed)).toBe(true)
  expect(readFileSync(committed, 'utf8')).toBe(await printOpenApiDocument({ examples: false }))
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
