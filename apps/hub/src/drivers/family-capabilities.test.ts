import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { abilities, describeCapabilities, families, wishes } from './family-capabilities.ts'

test('docs/hub/capabilities.md is what the families are held to; node apps/hub/src/drivers/write-capabilities.ts prints it', () => {
  const page = readFileSync(new URL('../../../../docs/hub/capabilities.md', import.meta.url), 'utf8')
  expect(page).toBe(describeCapabilities())
})

test('every family says of everything whether it can', () => {
  for (const family of families) expect(Object.keys(abilities[family]).sort()).toEqual([...wishes].sort())
})
