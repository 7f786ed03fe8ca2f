import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { compileProgram } from './compile.mjs'

const folders: string[] = []
const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'printyard-compile-'))
  folders.push(folder)
  return folder
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function makeProject(files: Record<string, string>): string {
  const root = temporaryFolder()
  const lock = { packages: { 'packages/shared': { name: '@own/shared' }, 'apps/tool': { name: 'tool' } } }
  for (const [name, content] of Object.entries({ ...files, 'package-lock.json': JSON.stringify(lock) })) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  return root
}

const project = {
  'apps/tool/package.json': '{ "version": "1.2.3" }',
  'apps/tool/src/main.ts': `import { readFileSync } from 'node:fs'
import type { Thing } from 'types-only'
import { Library, type Kind } from '@vendor/library/part'
import { shared } from '@own/shared/deep/shared'
import packageJson from '../package.json' with { type: 'json' }
const kind: 'a.ts' | undefined = undefined as Kind
export const worker = new URL('./worker.ts', import.meta.url)
export const program = join(import.meta.dirname, 'process.ts')
export const later = async (): Promise<Thing> => (await import('./later.ts')).thing
`,
  'apps/tool/src/worker.ts': 'export {}\n',
  'apps/tool/src/process.ts': 'export {}\n',
  'apps/tool/src/later.ts': "export const thing = 'no-such-file.ts'\n",
  'apps/tool/src/main.test.ts': 'export {}\n',
  'packages/shared/src/deep/shared.ts': "export { other as shared } from '../other.ts'\n",
  'packages/shared/src/other.ts': 'export const other = 1 satisfies number\n',
}

test('a program is what its entry reaches: imports, workers, programs and packages of the project', () => {
  const root = makeProject(project)
  const target = temporaryFolder()
  const { files, packages } = compileProgram(root, ['apps/tool/src/main.ts'], target)
  expect(files).toEqual([
    'apps/tool/package.json',
    'apps/tool/src/later.ts',
    'apps/tool/src/main.ts',
    'apps/tool/src/process.ts',
    'apps/tool/src/worker.ts',
    'packages/shared/src/deep/shared.ts',
    'packages/shared/src/other.ts',
  ])
  expect(packages).toEqual(new Map([['@vendor/library', 'apps/tool/src/main.ts']]))
  expect(readdirSync(join(target, 'apps/tool/src')).sort()).toEqual(['later.js', 'main.js', 'process.js', 'worker.js'])
  const main = readFileSync(join(target, 'apps/tool/src/main.js'), 'utf8').split('\n')
  expect(main[3]).toBe("import { shared } from '../../../packages/shared/src/deep/shared.js'")
  expect(main[4]).toBe("import packageJson from '../package.json' with { type: 'json' }")
  expect(main[6]).toBe("export const worker = new URL('./worker.js', import.meta.url)")
  expect(main[7]).toBe("export const program = join(import.meta.dirname, 'process.js')")
  expect(main[8]).toContain("(await import('./later.js')).thing")
  expect(readFileSync(join(target, 'apps/tool/src/later.js'), 'utf8')).toBe(project['apps/tool/src/later.ts'])
})

test('what is loaded when it is needed can be left out, what is needed always cannot', () => {
  const root = makeProject(project)
  const leave = (file: string) => () =>
    compileProgram(root, ['apps/tool/src/main.ts'], temporaryFolder(), { isLeftOut: (name) => name === file })
  expect(leave('apps/tool/src/later.ts')().files).not.toContain('apps/tool/src/later.ts')
  expect(leave('packages/shared/src/other.ts')).toThrow(
    'packages/shared/src/deep/shared.ts needs packages/shared/src/other.ts, which is left out',
  )
})
