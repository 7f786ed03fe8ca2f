import { expect, test } from 'vitest'
import { lockForRelease } from './dependency-lock.mjs'

const lock = {
  lockfileVersion: 3,
  packages: {
    '': { name: 'workspace', version: '1.0.0' },
    'apps/server': {
      name: '@own/server',
      version: '1.0.0',
      dependencies: { '@own/shared': '1.0.0', a: '1.0.0' },
      optionalDependencies: { binary: '3.0.0' },
    },
    'packages/shared': { name: '@own/shared', version: '1.0.0', dependencies: { a: '1.0.0' } },
    'node_modules/@own/server': { version: '1.0.0', resolved: 'apps/server', link: true },
    'node_modules/a': { version: '1.0.0', dependencies: { b: '^2.0.0' }, optionalDependencies: { absent: '1.0.0' } },
    'node_modules/a/node_modules/b': { version: '2.1.0', dependencies: { c: '*' } },
    'node_modules/b': { version: '1.0.0', dev: true },
    'node_modules/binary': { version: '3.0.0', devOptional: true },
    'node_modules/c': { version: '1.0.0' },
    'node_modules/test-tool': { version: '9.0.0', dev: true },
  },
}
const needed = { imported: new Map([['a', 'packages/shared/src/tools.ts']]), optionalOf: ['apps/server'] }
const manifest = { name: 'product', version: '1.0.0' }

test('a release has the locked versions of what it needs, where they are needed, and nothing else', () => {
  const release = lockForRelease(lock, needed, manifest)
  expect(release.manifest).toEqual({
    ...manifest,
    dependencies: { a: '1.0.0', c: '1.0.0' },
    optionalDependencies: { binary: '3.0.0' },
  })
  expect(release.lock).toMatchObject({ name: 'product', lockfileVersion: 3 })
  expect(Object.keys((release.lock as typeof lock).packages)).toEqual([
    '',
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/binary',
    'node_modules/c',
  ])
  expect((release.lock as typeof lock).packages['node_modules/binary']).toEqual({ version: '3.0.0', optional: true })
})

test('what is needed and not locked stops the release', () => {
  const { 'node_modules/c': _, ...packages } = lock.packages
  expect(() => lockForRelease({ ...lock, packages }, needed, manifest)).toThrow(
    'node_modules/a/node_modules/b needs c, which is not in the lockfile',
  )
})

test('an import that its package does not declare stops the release', () => {
  const imported = new Map([['c', 'apps/server/src/main.ts']])
  expect(() => lockForRelease(lock, { imported, optionalOf: [] }, manifest)).toThrow(
    'apps/server/src/main.ts imports c, which apps/server does not declare',
  )
})
