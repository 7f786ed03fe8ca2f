import { readFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { editedPlaces, editPackage, refuseUnedited } from './edited-packages.mjs'

const root = join(import.meta.dirname, '../..')
const require = createRequire(import.meta.url)

/** Has the next `require` of a file of a package find it as it is in the program. */
function loadEdited(file: string): unknown {
  const path = join(root, file)
  const edited = editPackage(file, readFileSync(path, 'utf8'))
  expect(edited).toBeDefined()
  const module = new Module(path) as NodeModule & { _compile(code: string, path: string): void }
  module.filename = path
  module.paths = require.resolve.paths(path) ?? []
  module._compile(edited as string, path)
  require.cache[path] = module
  return module.exports
}

/** As if none of a package had been loaded. */
function forget(name: string): void {
  for (const path of Object.keys(require.cache)) if (path.includes(`/node_modules/${name}/`)) delete require.cache[path]
}

afterEach(() => {
  for (const name of ['find-my-way', '@fastify/static', 'glob']) forget(name)
})

test.each(editedPlaces)('$file still has the place that is changed', ({ file, place, edited }) => {
  const before = readFileSync(join(root, file), 'utf8')
  expect(editPackage(file, before)).toBe(before.replace(place, () => edited))
})

test('a package that has the place no more, or twice, is refused', () => {
  const [{ file, place }] = editedPlaces as [(typeof editedPlaces)[number]]
  expect(() => editPackage(file, 'nothing of it')).toThrow(/node\.js has not one place with `const LONG_PREFIX/)
  expect(() => editPackage(file, `${place}; ${place}`)).toThrow(/has not one place/)
  expect(editPackage('node_modules/find-my-way/index.js', place)).toBeUndefined()
})

test('a program with a package whose file has another name is refused, one without the package is not', () => {
  const files = editedPlaces.map(({ file }) => file)
  refuseUnedited(['node_modules/ajv/dist/ajv.js'])
  refuseUnedited(files.map((file) => `node_modules/fastify/${file}`))
  expect(() => refuseUnedited(['node_modules/find-my-way/lib/tree.js', ...files.slice(1)])).toThrow(
    'node_modules/find-my-way/lib/node.js is not there any more',
  )
})

test('the router finds the same without a function for each prefix', () => {
  forget('find-my-way')
  loadEdited('node_modules/find-my-way/lib/node.js')
  const makeRouter = require('find-my-way') as (options: object) => {
    on(method: string, path: string, handler: () => string): void
    find(method: string, path: string): { handler(): string; params: Record<string, string> } | null
  }
  const router = makeRouter({})
  const paths = [
    '/printers',
    '/printers/:id',
    '/printers/:id/start',
    '/print-files',
    '/products/:id',
    '/p',
    '/printers/live',
  ]
  for (const path of paths) router.on('GET', path, () => path)
  const found = (path: string) => router.find('GET', path)?.handler()
  expect(found('/printers')).toBe('/printers')
  expect(found('/printers/live')).toBe('/printers/live')
  expect(found('/printers/liver')).toBe('/printers/:id')
  expect(router.find('GET', '/printers/prn_1/start')?.params).toEqual({ id: 'prn_1' })
  expect(found('/print-files')).toBe('/print-files')
  expect(found('/p')).toBe('/p')
  for (const path of ['/print', '/printers/1/stop', '/xprinters', '/printersprinters', '/prinprinters/']) {
    expect(found(path), path).toBeUndefined()
  }
})

test('what serves files loads nothing that looks for them', () => {
  forget('@fastify/static')
  forget('glob')
  expect(loadEdited('node_modules/@fastify/static/index.js')).toBeTypeOf('function')
  expect(Object.keys(require.cache).filter((path) => path.includes('/node_modules/glob/'))).toEqual([])
})
