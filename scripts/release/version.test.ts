import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../node24.mjs'

test('the workspace has one version', () => {
  const lock: { packages: Record<string, { version: string }> } = JSON.parse(
    readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'),
  )
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  const own = Object.entries(lock.packages).filter(([path]) => !path.includes('node_modules'))
  expect(own.length).toBeGreaterThan(5)
  expect(own.filter(([, entry]) => entry.version !== version)).toEqual([])
})
