import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../node24.mjs'

test('every part of the project has the version of the whole', () => {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'))
  const parts = Object.keys(lock.packages).filter((path) => /^(apps|packages)\/[^/]+$/.test(path))
  expect(parts.length).toBeGreaterThan(5)
  const versions = parts.map((part) => [
    part,
    JSON.parse(readFileSync(join(projectRoot, part, 'package.json'), 'utf8')),
  ])
  expect(versions.filter(([, manifest]) => manifest.version !== version)).toEqual([])
})

test('the pages on installing name the files of this version', () => {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  const folder = join(projectRoot, 'docs/install')
  const names = readdirSync(folder).flatMap((page) => {
    const text = readFileSync(join(folder, page), 'utf8')
    return [...text.matchAll(/printyard(?:-hub)?[-_:](\d+\.\d+\.\d+)/g)]
  })
  expect(names.length).toBeGreaterThan(5)
  expect(names.filter(([, named]) => named !== version)).toEqual([])
})
